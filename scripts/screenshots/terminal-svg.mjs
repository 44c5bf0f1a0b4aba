/** The size of a character cell, and the space around the text, in pixels. */
const [width, height, space] = [8.4, 18, 16];
const background = '#13201b';
const text = '#dfe8e4';
/** The 16 colors of a terminal, as the pages of the example server would show them in the dark. */
const palette = [
  ...['#13201b', '#ff8a7f', '#5fd2a0', '#e8c060', '#8ab8f5', '#d3a5ee', '#6fd0d6', '#dfe8e4'],
  ...['#8a9a92', '#ff8a7f', '#5fd2a0', '#e8c060', '#8ab8f5', '#d3a5ee', '#6fd0d6', '#ffffff'],
];

/** Draws the screen of a terminal as SVG, with one element for each run of characters of the same style. */
export function toSvg({ screen, columns, rows }) {
  const runs = Array.from({ length: rows }, (_, row) => runsOf(screen.getLine(row), columns, row)).flat();
  const [w, h] = [columns * width + 2 * space, rows * height + 2 * space];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">`,
    '<title>The screen of latchkey in a terminal</title>',
    `<rect width="${w}" height="${h}" rx="8" fill="${background}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">',
    ...runs.map(toElement),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function runsOf(line, columns, row) {
  const runs = [];
  for (let column = 0; line && column < columns; column++) {
    const cell = line.getCell(column);
    const characters = cell.getChars() || ' ';
    const style = styleOf(cell);
    const last = runs.at(-1);
    if (last?.style === style) last.characters += characters;
    else runs.push({ row, column, style, characters });
  }
  return runs.filter(({ characters }) => characters.trim() !== '');
}

function styleOf(cell) {
  const color = cell.isFgPalette() ? (palette[cell.getFgColor()] ?? text) : text;
  return [`fill="${color}"`, cell.isBold() ? 'font-weight="bold"' : '', cell.isDim() ? 'opacity="0.7"' : '']
    .filter(Boolean)
    .join(' ');
}

/** `textLength` keeps the columns aligned, whatever font the viewer has. */
function toElement({ row, column, style, characters }) {
  const lead = characters.length - characters.trimStart().length;
  const shown = characters.trim();
  const x = (space + (column + lead) * width).toFixed(1);
  const y = space + row * height + 14;
  const escaped = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const length = ([...shown].length * width).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${length}" xml:space="preserve" ${style}>${escaped}</text>`;
}
