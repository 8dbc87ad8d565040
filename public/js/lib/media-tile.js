/** What a network says about a file. @typedef {{ provider: string, problem: string | null }} Fit */
/** A network of a chosen account. @typedef {{ provider: string, name: string, mixed: boolean, singleAnimation: boolean }} Network */

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
export function show(tile, { id, name, kind, status, animated, durationMs, failure, renditions }) {
  Object.assign(tile.dataset, { name, kind, status, animated: String(animated) })
  const [kept, image, blank, facts] = [
    inputIn(tile, '[data-id]'),
    tile.querySelector('img'),
    tile.querySelector('.blank'),
    tile.querySelector('[data-facts]'),
  ]
  if (kept) kept.value = id
  if (image && renditions.thumb) image.src = `/api/media/${id}/file/thumb`
  image?.toggleAttribute('hidden', !renditions.thumb)
  blank?.toggleAttribute('hidden', Boolean(renditions.thumb))
  facts?.toggleAttribute('hidden', kind === 'image')
  if (facts) facts.textContent = factsOf({ kind, status, durationMs })
  tile.querySelector('progress')?.remove()
  tile.querySelector('[data-crop]')?.toggleAttribute('hidden', kind !== 'image')
  showError(tile, failure ?? '')
}

/** Such as `PDF` or `0:58`. @param {{ kind: string, status: string, durationMs: number | null }} file */
export function factsOf({ kind, status, durationMs }) {
  if (status === 'processing') return 'Processing'
  if (kind === 'document') return 'PDF'
  if (durationMs === null) return 'Video'
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Shows which file failed and why. @param {HTMLElement} tile @param {string} reason @param {{ canRetry: boolean }} [options] */
export function fail(tile, reason, { canRetry } = { canRetry: false }) {
  tile.dataset.state = 'failed'
  tile.querySelector('progress')?.remove()
  inputIn(tile, '[data-alt]')?.toggleAttribute('hidden', true)
  tile.querySelector('[data-try-again]')?.toggleAttribute('hidden', !canRetry)
  showError(tile, tile.dataset.name ? `${tile.dataset.name}: ${reason}` : reason)
}

/** @param {HTMLElement} tile @param {string} words */
export function showError(tile, words) {
  const error = tile.querySelector('[role="alert"]')
  if (error && error.textContent !== words) error.textContent = words
}

/**
 * Why chosen networks don't accept a file, alone or together with the others of its post.
 * @param {HTMLElement} tile @param {{ fits: Fit[], siblings: HTMLElement[], networks: Network[] }} post
 */
export function fileProblem({ dataset: { kind, animated } }, { fits, siblings, networks }) {
  const others = siblings.length > 1
  return networks
    .flatMap(({ provider, name, mixed, singleAnimation }) => {
      const problem = fits.find((fit) => fit.provider === provider)?.problem
      if (problem) return problem
      if (others && kind === 'document') return `${name} allows a document only by itself.`
      if (others && kind === 'video' && !mixed) return `${name} allows a video only by itself.`
      return others && singleAnimation && animated === 'true' ? `${name} allows an animated GIF only by itself.` : []
    })
    .join(' ')
}

/** @param {any} problem */
export const refusalIn = (problem) =>
  problem?.errors?.[0]?.message ?? problem?.detail ?? 'The upload failed. Check your connection.'

/**
 * @param {string} path @param {AbortSignal} [signal]
 * @returns {Promise<{ status: number, body: any }>} 0 without a response, null for a body that can't be read
 */
export async function readJson(path, signal) {
  const headers = { accept: 'application/json' }
  const response = await fetch(path, { headers, signal: signal ?? null }).catch(() => null)
  return { status: response?.status ?? 0, body: (await response?.json().catch(() => null)) ?? null }
}
