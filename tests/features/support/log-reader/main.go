// Reads a log of C2SP tlog-tiles over HTTP, and checks it with the packages of the Go checksum database.
//
// Usage: go run main.go <URL of the log> <public key> <file with a tlog-proof> <tree size of an earlier checkpoint>
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var prefix = os.Args[1]

func main() {
	log.SetFlags(0)
	tree := readCheckpoint(string(get("/checkpoint")))
	entries := readEntries(tree.N)
	if root := rootOf(entries); root != tree.Hash {
		log.Fatalf("the entries have the root %v, but the checkpoint has %v", root, tree.Hash)
	}

	// The reader checks each tile against the root before it uses a hash.
	reader := tlog.TileHashReader(tree, &tiles{})
	for index, entry := range entries {
		proof, err := tlog.ProveRecord(tree.N, int64(index), reader)
		check(err)
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, int64(index), tlog.RecordHash(entry)))
	}
	earlier, err := strconv.ParseInt(os.Args[4], 10, 64)
	check(err)
	proof, err := tlog.ProveTree(tree.N, earlier, reader)
	check(err)
	check(tlog.CheckTree(proof, tree.N, tree.Hash, earlier, rootOf(entries[:earlier])))

	index := checkProof(os.Args[3], entries)
	check(json.NewEncoder(os.Stdout).Encode(map[string]int64{"size": tree.N, "proved": index}))
}

func readCheckpoint(signed string) tlog.Tree {
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)
	opened, err := note.Open([]byte(signed), note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		log.Fatalf("the checkpoint belongs to %s", lines[0])
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

func readEntries(size int64) [][]byte {
	entries := [][]byte{}
	for n := int64(0); n*256 < size; n++ {
		bundle := get("/tile/entries/" + path(n, width(n, size)))
		for len(bundle) > 0 {
			length := binary.BigEndian.Uint16(bundle)
			entries = append(entries, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	return entries
}

func width(n int64, size int64) int {
	if size-n*256 < 256 {
		return int(size - n*256)
	}
	return 256
}

func rootOf(entries [][]byte) tlog.Hash {
	stored := memory{}
	for index, entry := range entries {
		hashes, err := tlog.StoredHashesForRecordHash(int64(index), tlog.RecordHash(entry), stored)
		check(err)
		for at, hash := range hashes {
			stored[tlog.StoredHashIndex(0, int64(index))+int64(at)] = hash
		}
	}
	root, err := tlog.TreeHash(int64(len(entries)), stored)
	check(err)
	return root
}

type memory map[int64]tlog.Hash

func (stored memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := []tlog.Hash{}
	for _, index := range indexes {
		hashes = append(hashes, stored[index])
	}
	return hashes, nil
}

type tiles struct{ kept map[string][]byte }

func (*tiles) Height() int { return 8 }

func (*tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (reader *tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	if reader.kept == nil {
		reader.kept = map[string][]byte{}
	}
	found := [][]byte{}
	for _, tile := range wanted {
		at := fmt.Sprintf("/tile/%d/%s", tile.L, path(tile.N, tile.W))
		if reader.kept[at] == nil {
			reader.kept[at] = get(at)
		}
		found = append(found, reader.kept[at])
	}
	return found, nil
}

func path(n int64, width int) string {
	text := fmt.Sprintf("%03d", n%1000)
	for n >= 1000 {
		n /= 1000
		text = fmt.Sprintf("x%03d/%s", n%1000, text)
	}
	if width < 256 {
		text += fmt.Sprintf(".p/%d", width)
	}
	return text
}

// Checks a file of C2SP tlog-proof against the entry that the log has at its index.
func checkProof(file string, entries [][]byte) int64 {
	bytes, err := os.ReadFile(file)
	check(err)
	head, checkpoint, _ := strings.Cut(string(bytes), "\n\n")
	tree := readCheckpoint(checkpoint)
	index := int64(-1)
	proof := tlog.RecordProof{}
	lines := bufio.NewScanner(strings.NewReader(head))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "c2sp.org/tlog-proof@v1") || strings.HasPrefix(line, "extra ") {
			continue
		}
		if strings.HasPrefix(line, "index ") {
			index, err = strconv.ParseInt(line[len("index "):], 10, 64)
			check(err)
			continue
		}
		decoded, err := base64.StdEncoding.DecodeString(line)
		check(err)
		hash := tlog.Hash{}
		copy(hash[:], decoded)
		proof = append(proof, hash)
	}
	check(lines.Err())
	check(tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entries[index])))
	return index
}

func get(path string) []byte {
	response, err := http.Get(prefix + path)
	check(err)
	defer response.Body.Close()
	if response.StatusCode != 200 {
		log.Fatalf("%s: status %d", path, response.StatusCode)
	}
	body, err := io.ReadAll(response.Body)
	check(err)
	return body
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
