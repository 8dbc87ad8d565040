import { refusalIn } from './media-tile.js'

/** Images up to this size are sent in one request, and everything else in parts that can be resumed. Bytes. */
const maxSingle = 8 * 1024 * 1024

/** Whether a file is sent in one request. @param {File} file */
export const isSmall = ({ size, type }) => size <= maxSingle && /^image\/(jpeg|png|webp|gif)$/.test(type)

/**
 * @typedef {{
 *   progress(sent: number): void, processing(): void, done(mediaId: string | null): void,
 *   failed(reason: string, options: { canRetry: boolean }): void, interrupted(): void
 * }} Reports
 * @typedef {{ pause(): void, cancel(): void }} Sending
 */

/** Whether a request with this status can succeed later; 0 is a lost connection. @param {number} status */
const isTemporary = (status) => status === 0 || status === 423 || status === 429 || status >= 500

/**
 * In one request. fetch can't report how much of a body was sent.
 * @param {string} brandId @param {File} file @param {Reports} reports @returns {Sending}
 */
function sendSmall(brandId, file, reports) {
  const form = new FormData()
  form.set('brandId', brandId)
  form.set('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', '/api/media')
  request.setRequestHeader('accept', 'application/json')
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded, total }) => reports.progress(loaded / total))
  request.addEventListener('loadend', () => {
    if (request.status === 201) reports.done(request.response.id)
    else reports.failed(refusalIn(request.response), { canRetry: isTemporary(request.status) })
  })
  request.send(form)
  return { pause: () => {}, cancel: () => request.abort() }
}

/** In the way that fits the file. @param {string} brandId @param {File} file @param {Reports} reports @returns {Promise<Sending>} */
export const send = async (brandId, file, reports) =>
  isSmall(file) ? sendSmall(brandId, file, reports) : sendResumable(brandId, file, reports)

const retryDelays = [500, 2_000, 5_000, 10_000]

/**
 * In parts: continues an upload of the same file that this browser began before.
 * @param {string} brandId @param {File} file @param {Reports} reports @returns {Promise<Sending>}
 */
async function sendResumable(brandId, file, reports) {
  const { Upload } = await import('./tus.js')
  /** @type {import('tus-js-client').Upload} */
  const upload = new Upload(file, {
    endpoint: `/api/uploads?brandId=${brandId}`,
    retryDelays,
    metadata: { filename: file.name, brandId },
    removeFingerprintOnSuccess: true,
    onProgress: (sent, total) => reports.progress(sent / total),
    onSuccess: () => {
      reports.processing()
      void watch(upload.url ?? '', reports)
    },
    onError: (error) => {
      const response = 'originalResponse' in error ? error.originalResponse : null
      const status = response?.getStatus() ?? 0
      if (isTemporary(status)) reports.interrupted()
      else reports.failed(refusalIn(parse(response?.getBody() ?? '')), { canRetry: false })
    },
  })
  const [previous] = (await upload.findPreviousUploads()).filter(({ metadata }) => metadata.brandId === brandId)
  if (previous) upload.resumeFromPreviousUpload(previous)
  upload.start()
  return {
    pause: () => {
      void upload.abort()
      reports.interrupted()
    },
    cancel: () => void upload.abort(true).catch(() => {}),
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const watchEvery = 1_000

/** Waits until the server has checked the file. @param {string} url @param {Reports} reports */
async function watch(url, reports) {
  for (;;) {
    const response = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => null)
    const upload = response?.ok ? await response.json() : null
    if (upload?.status === 'completed') return reports.done(upload.mediaId)
    if (upload?.status === 'failed') return reports.failed(upload.failure, { canRetry: false })
    if (response && response.status >= 400 && response.status < 500)
      return reports.failed(refusalIn(await response.json().catch(() => null)), { canRetry: false })
    await new Promise((resolve) => setTimeout(resolve, watchEvery))
  }
}

/**
 * Uploads of this browser that were interrupted, such as by closing the page.
 * @param {string} brandId @returns {Promise<{ name: string, size: number, sent: number, forget(): void }[]>}
 */
export async function findInterrupted(brandId) {
  // The client stores uploads under this prefix: without one, it isn't loaded.
  if (!Object.keys(localStorage).some((key) => key.startsWith('tus::'))) return []
  const { defaultOptions } = await import('./tus.js')
  const storage = defaultOptions.urlStorage
  const stored = (await storage?.findAllUploads()) ?? []
  const own = stored.filter(({ metadata, uploadUrl }) => uploadUrl && metadata.brandId === brandId)
  const found = await Promise.all(
    own.map(async ({ metadata, size, uploadUrl, urlStorageKey }) => {
      const forget = () => void storage?.removeUpload(urlStorageKey)
      const response = await fetch(uploadUrl ?? '', { headers: { accept: 'application/json' } }).catch(() => null)
      const upload = response?.ok ? await response.json() : null
      if (upload?.status !== 'uploading') {
        if (response) forget()
        return []
      }
      const discard = () => {
        forget()
        void fetch(uploadUrl ?? '', { method: 'DELETE', headers: { accept: 'application/json' } }).catch(() => {})
      }
      return [
        {
          name: metadata.filename ?? '',
          size: size ?? upload.length,
          sent: upload.received / upload.length,
          forget: discard,
        },
      ]
    }),
  )
  return found.flat()
}
