// Who has asked within this long asks regularly, and will ask again.
const regularlyMs = 15_000;
// How long is waited for that at most; deploy/Caddyfile asks every second.
const longestNoticeMs = 3000;
// Within this long whoever has been told acts on it, and whoever else asks has been told as well.
const settleMs = 1250;

/** What `/readyz` says of the process itself, and whether whoever asks has heard that it leaves. */
export class Readiness {
  #askedAt = Number.NEGATIVE_INFINITY;
  #leaving = false;
  #tell: () => void = () => {};

  /** Somebody asks: whether requests may be sent here. */
  asked(): boolean {
    this.#askedAt = performance.now();
    return !this.#leaving;
  }

  /** The answer has gone out. What was found out before we left says nothing of it. */
  answered(ready: boolean): void {
    if (this.#leaving && !ready) this.#tell();
  }

  /**
   * Says no from now on. Resolves once a proxy that asks has heard it and sends its requests elsewhere, so that none
   * meets a closed door; at once where nobody asks.
   */
  async leave(): Promise<void> {
    const isAskedFor = performance.now() - this.#askedAt < regularlyMs;
    this.#leaving = true;
    if (!isAskedFor) return;
    await new Promise<void>((resolve) => {
      const longest = setTimeout(resolve, longestNoticeMs);
      this.#tell = () => {
        this.#tell = () => {};
        setTimeout(() => {
          clearTimeout(longest);
          resolve();
        }, settleMs);
      };
    });
  }
}
