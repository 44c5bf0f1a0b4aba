// A proxy that has checked within this time is expected to check again.
const checkIntervalMs = 15_000;
/** The maximum duration of `stop`. Caddy checks every second (deploy/Caddyfile). */
export const longestNoticeMs = 3000;
// The wait after a proxy has seen "not ready". In this time, that proxy stops sending requests, and other proxies can
// also see "not ready".
const settleMs = 1250;

/** Decides what `/readyz` reports, and tracks whether a proxy has seen that this process is stopping. */
export class Readiness {
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  #onNoticed: () => void = () => {};

  /** Records a check by a proxy. Returns whether this process accepts requests. */
  check(): boolean {
    this.#checkedAt = performance.now();
    return !this.#isStopping;
  }

  /**
   * Records that the response to a check was sent. Only a "not ready" response tells the proxy that the process is
   * stopping.
   */
  answered(ready: boolean): void {
    if (this.#isStopping && !ready) this.#onNoticed();
  }

  /**
   * Makes every later check return "not ready". Resolves when a proxy has seen "not ready" and has had time to stop
   * sending requests. Then the server can close its port without losing requests.
   *
   * If no proxy checks regularly, resolves immediately. Otherwise, resolves after three seconds at the latest.
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
