// A proxy that checked within this time checks regularly, and will check again.
const checkIntervalMs = 15_000;
// How long to wait for that check at most; deploy/Caddyfile checks every second.
const longestNoticeMs = 3000;
// Within this time the proxy stops sending requests, and any other proxies check too.
const settleMs = 1250;

/** Whether this process accepts requests, as `/readyz` reports it, and whether a proxy has seen that it is stopping. */
export class Readiness {
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  #onNoticed: () => void = () => {};

  /** A proxy checks: returns whether it may send requests here. */
  check(): boolean {
    this.#checkedAt = performance.now();
    return !this.#isStopping;
  }

  /** The answer to a check was sent. A positive answer was decided before the process began to stop. */
  answered(ready: boolean): void {
    if (this.#isStopping && !ready) this.#onNoticed();
  }

  /**
   * Answers every check with "not ready" from now on. Resolves once a proxy that checks regularly has seen it and sends
   * its requests elsewhere, so that no request meets a closed port; resolves at once if no proxy checks.
   */
  async stop(): Promise<void> {
    const isChecked = performance.now() - this.#checkedAt < checkIntervalMs;
    this.#isStopping = true;
    if (!isChecked) return;
    await new Promise<void>((resolve) => {
      const longest = setTimeout(resolve, longestNoticeMs);
      this.#onNoticed = () => {
        this.#onNoticed = () => {};
        setTimeout(() => {
          clearTimeout(longest);
          resolve();
        }, settleMs);
      };
    });
  }
}
