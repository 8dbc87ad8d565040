/**
 * @typedef {import('./send-file.js').Sending} Sending
 * @typedef {{
 *   brandId: string, stored(tile: HTMLElement, id: string): Promise<void>,
 *   failed(tile: HTMLElement, reason: string, options: { canRetry: boolean }): void
 * }} Options
 */

/** Uploads one file at a time, since the server accepts only a few files of an organization at once. */
export class TileUploads {
  /** @type {Promise<unknown>} */
  turn = Promise.resolve()
  /** @type {WeakMap<HTMLElement, () => void>} */
  cancels = new WeakMap()

  /** @param {Options} options */
  constructor(options) {
    this.options = options
  }

  /** @param {HTMLElement} tile @param {File} file */
  add(tile, file) {
    this.turn = this.turn.then(() => this.upload(tile, file))
  }

  /** Of a tile that was removed while its file is sent: the file doesn't remain in the library. @param {HTMLElement} tile */
  cancel(tile) {
    this.cancels.get(tile)?.()
  }

  /** @param {HTMLElement} tile @param {File} file */
  async upload(tile, file) {
    if (!tile.isConnected) return
    const { promise, resolve } = Promise.withResolvers()
    const { options, cancels } = this
    /** @param {string} reason @param {{ canRetry: boolean }} how */
    const failed = (reason, how) => {
      options.failed(tile, reason, how)
      resolve(undefined)
    }
    const reports = {
      progress: (/** @type {number} */ sent) => {
        const bar = tile.querySelector('progress')
        if (bar) bar.value = sent
      },
      processing: () => {},
      done: async (/** @type {string} */ id) => {
        await options.stored(tile, id)
        resolve(undefined)
      },
      failed,
      interrupted: () => failed('The upload failed. Check your connection.', { canRetry: true }),
    }
    const sending = import('./send-file.js').then(({ send }) => send(options.brandId, file, reports))
    sending.catch(() => failed('The uploader can’t be loaded. Check your connection.', { canRetry: true }))
    cancels.set(tile, () => {
      void sending.then(({ cancel }) => cancel()).catch(() => {})
      resolve(undefined)
    })
    await promise
    cancels.delete(tile)
  }
}
