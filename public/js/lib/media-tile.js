/** @typedef {{ name: string, types: string[], bytes: number }} ImageLimits */

/**
 * @param {Element} within
 * @param {string} selector
 */
export function inputIn(within, selector) {
  const found = within.querySelector(selector)
  return found instanceof HTMLInputElement ? found : null
}

/** @param {HTMLElement} tile @param {number} at @param {number} of */
export function label(tile, at, of) {
  const name = tile.dataset.name || `image ${at + 1}`
  tile.querySelector('[data-alt]')?.setAttribute('aria-label', `Alt text for ${name}`)
  tile.querySelector('[data-take-out]')?.setAttribute('aria-label', `Remove ${name}`)
  for (const move of tile.querySelectorAll('[data-move]')) {
    if (!(move instanceof HTMLButtonElement)) continue
    const earlier = move.dataset.move === '-1'
    move.ariaLabel = `Move ${name} ${earlier ? 'earlier' : 'later'}`
    move.disabled = at === (earlier ? 0 : of - 1)
  }
  tile.querySelector('[data-crop]')?.setAttribute('aria-label', `Crop or rotate ${name}`)
  tile.querySelector('[data-try-again] button')?.setAttribute('aria-label', `Retry upload of ${name}`)
}

/** @param {HTMLElement} tile @param {any} media */
export function show(tile, { id, contentType, bytes, renditions: { web } }) {
  const files = [{ contentType, bytes }, ...(web ? [web] : [])]
  tile.dataset.sizes = files.map((file) => `${file.contentType} ${file.bytes}`).join(',')
  const [kept, image] = [inputIn(tile, '[data-id]'), tile.querySelector('img')]
  if (kept) kept.value = id
  if (image) Object.assign(image, { src: `/api/media/${id}/file/thumb`, hidden: false })
  tile.querySelector('progress')?.remove()
  tile.querySelector('[data-crop]')?.removeAttribute('hidden')
}

/** Shows which file failed and why. @param {HTMLElement} tile @param {string} reason @param {{ canRetry: boolean }} [options] */
export function fail(tile, reason, { canRetry } = { canRetry: false }) {
  tile.dataset.state = 'failed'
  tile.querySelector('progress')?.remove()
  inputIn(tile, '[data-alt]')?.toggleAttribute('hidden', true)
  tile.querySelector('[data-try-again]')?.toggleAttribute('hidden', !canRetry)
  showError(tile, `${tile.dataset.name}: ${reason}`)
}

/** @param {HTMLElement} tile @param {string} words */
export function showError(tile, words) {
  const error = tile.querySelector('[role="alert"]')
  if (error && error.textContent !== words) error.textContent = words
}

/** @type {Record<string, string>} */
const kindNames = {
  'image/jpeg': 'JPEG images',
  'image/png': 'PNG images',
  'image/webp': 'animated WebP images',
  'image/gif': 'animated GIFs',
}

/** A message with the networks that don't accept an image. @param {HTMLElement} tile @param {ImageLimits[]} networks */
export function imageProblem(tile, networks) {
  const files = (tile.dataset.sizes ?? '').split(',').map((text) => text.split(' '))
  const [type = ''] = files[0] ?? []
  return networks
    .filter(({ types, bytes }) => !files.some(([kind = '', size]) => types.includes(kind) && Number(size) <= bytes))
    .map(
      ({ name, types }) =>
        `${name} ${types.includes(type) ? 'doesn’t accept images this large.' : `doesn’t support ${kindNames[type] ?? 'this file'}.`}`,
    )
    .join(' ')
}

/** @param {any} problem */
export const refusalIn = (problem) =>
  problem?.errors?.[0]?.message ?? problem?.detail ?? 'The upload failed. Check your connection.'
