import { readJson, refusalIn } from './media-tile.js'

/** Images up to this size are sent in one request, and everything else in parts that can be resumed. Bytes. */
const maxSingle = 8 * 1024 * 1024

/** Whether a file is sent in one request. @param {File} file */
export const isSmall = ({ size, type }) => size <= maxSingle && /^image\/(jpeg|png|webp|gif)$/.test(type)

/**
 * @typedef {{
 *   progress(sent: number): void, processing(): void, done(mediaId: string): void,
 *   failed(reason: string, options: { canRetry: boolean }): void, interrupted(): void
 * }} Reports
 * @typedef {{ pause(): void, cancel(): void }} Sending canceled ones report nothing, and leave no file
 */

const unreadable = 'The server’s response can’t be read. Retry.'

/** Whether a request with this status can succeed later; 0 is a lost connection. @param {number} status */
const isTemporary = (status) => status === 0 || status === 423 || status === 429 || status >= 500

/** Of files whose response didn't arrive: the retry doesn't store them twice. @type {WeakMap<File, string>} */
const keys = new WeakMap()

/** @param {File} file */
function keyOf(file) {
  const key = keys.get(file) ?? crypto.randomUUID()
  keys.set(file, key)
  return key
}

/**
 * In one request. fetch can't report how much of a body was sent.
 * @param {string} brandId @param {File} file @param {Reports} reports @returns {Sending}
 */
function sendSmall(brandId, file, reports) {
  let [isCanceled, storedPath] = [false, '']
  const form = new FormData()
  form.set('brandId', brandId)
  form.set('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', '/api/media')
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('idempotency-key', keyOf(file))
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded, total }) => isCanceled || reports.progress(loaded / total))
  request.addEventListener('loadend', () => {
    const { status, response } = request
    if (isCanceled) return void (response?.id && removeFile(`/api/media/${response.id}`))
    if (status !== 0 && response !== null) keys.delete(file)
    if (status !== 201) return reports.failed(...failureOf(status, response))
    if (!response?.id) return reports.failed(unreadable, { canRetry: true })
    storedPath = `/api/media/${response.id}`
    reports.done(response.id)
  })
  request.send(form)
  const cancel = () => {
    isCanceled = true
    // Else its response names the file to delete: a server that has all of it stores it, also after an abort.
    if (storedPath) removeFile(storedPath)
  }
  return { pause: () => {}, cancel }
}

/** @param {number} status @param {any} problem @returns {[string, { canRetry: boolean }]} */
const failureOf = (status, problem) =>
  problem?.code === 'idempotency_in_progress'
    ? ['The first attempt isn’t finished yet. Retry in a few seconds.', { canRetry: true }]
    : [refusalIn(problem), { canRetry: isTemporary(status) }]

/** Also while the page closes. @param {string} path */
const removeFile = (path) =>
  void fetch(path, { method: 'DELETE', headers: { accept: 'application/json' }, keepalive: true }).catch(() => {})

/** In the way that fits the file. @param {string} brandId @param {File} file @param {Reports} reports @returns {Promise<Sending>} */
export const send = async (brandId, file, reports) =>
  isSmall(file) ? sendSmall(brandId, file, reports) : sendResumable(brandId, file, reports)

const retryDelays = [500, 2_000, 5_000, 10_000]

/**
 * In parts: continues an upload of the same file that this browser began before.
 * @param {string} brandId @param {File} file @param {Reports} reports @returns {Promise<Sending>}
 */
async function sendResumable(brandId, file, reports) {
  const canceling = new AbortController()
  const { signal } = canceling
  const { Upload } = await import('./tus.js')
  const terminate = () => {
    // With the file that it can have become in the meantime.
    upload.url += '?media=true'
    void upload.abort(true).catch(() => {})
  }
  /** @type {import('tus-js-client').Upload} */
  const upload = new Upload(file, {
    endpoint: `/api/uploads?brandId=${brandId}`,
    retryDelays,
    metadata: { filename: file.name, brandId },
    removeFingerprintOnSuccess: true,
    onUploadUrlAvailable: () => void (signal.aborted && terminate()),
    onProgress: (sent, total) => reports.progress(sent / total),
    onSuccess: () => {
      reports.processing()
      void watch(upload.url ?? '', reports, signal)
    },
    onError: (error) => {
      if (signal.aborted) return
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
    cancel: () => {
      canceling.abort()
      // While it is created, its URL isn't known.
      if (upload.url) terminate()
    },
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
/** How often in a row a response can be one that can't be read. */
const maxUnreadable = 5

/**
 * Waits until the server has checked the file.
 * @param {string} url @param {Reports} reports @param {AbortSignal} signal
 */
async function watch(url, reports, signal) {
  for (let unread = 0; unread < maxUnreadable;) {
    const { status, body } = await readJson(url, signal)
    if (signal.aborted) return
    if (body?.status === 'completed' && body.mediaId) return reports.done(body.mediaId)
    if (body?.status === 'completed') return reports.failed('This file was deleted.', { canRetry: true })
    if (body?.status === 'failed') return reports.failed(body.failure, { canRetry: false })
    if (status >= 400 && !isTemporary(status)) return reports.failed(refusalIn(body), { canRetry: false })
    unread = status === 200 && !body ? unread + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, watchEvery))
  }
  reports.failed(unreadable, { canRetry: true })
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
      const { status, body: upload } = await readJson(uploadUrl ?? '')
      if (upload?.status !== 'uploading') {
        if (upload?.status || status === 404 || status === 410) forget()
        return []
      }
      const discard = () => {
        forget()
        removeFile(uploadUrl ?? '')
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
