const layoutPath = '/api/dashboard/layout'
const settingsPath = '/api/dashboard/settings'

/**
 * @typedef {import('../elements/widget-grid.js').Place} Place
 * @typedef {import('../elements/widget-grid.js').Layout} Layout
 * @typedef {{ widgets: Place[], custom: boolean, version: number }} Settings
 * @typedef {HTMLElement & {
 *   cards: HTMLElement[], saving: Promise<void>, places(): Place[], show(layout: Layout): void
 * }} Grid
 */

/** The menu below the widgets, whose layout the person arranged. @param {Grid} grid */
export function offerReset(grid) {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    if (target.closest('[data-reset-layout]')) void report(() => reset(grid), 'Couldn’t reset the layout.')
    if (target.closest('[data-use-as-default]'))
      void report(() => setDefault(grid), 'Couldn’t save the default layout.')
  })
}

/** @param {Grid} grid */
async function reset(grid) {
  closeMenu()
  await grid.saving
  const before = grid.places()
  /** @type {Layout} */
  const layout = await send('DELETE', layoutPath)
  grid.show(layout)
  const undo = { method: 'PUT', href: layoutPath, body: { widgets: before } }
  showToast({ message: 'Layout reset', undo })
  // The menu’s button is gone.
  grid.cards
    .find((card) => !card.hidden)
    ?.querySelector('button')
    ?.focus()
}

/** @param {Grid} grid */
async function setDefault(grid) {
  closeMenu()
  await grid.saving
  /** @type {Settings} */
  const before = await send('GET', settingsPath)
  await send('PUT', settingsPath, { widgets: grid.places(), version: before.version })
  const undo = { method: 'PUT', href: settingsPath, body: { widgets: before.custom ? before.widgets : null } }
  showToast({ message: 'Saved as the default for members', undo })
}

const closeMenu = () => document.getElementById('layout-menu')?.hidePopover()

/** @param {object} detail */
const showToast = (detail) => document.dispatchEvent(new CustomEvent('toast', { detail }))

/** @param {() => Promise<void>} act @param {string} failed */
async function report(act, failed) {
  try {
    await act()
  } catch (error) {
    const reason = error instanceof TypeError ? 'Check your connection.' : error instanceof Error ? error.message : ''
    showToast({ message: `${failed} ${reason}`, tone: 'danger' })
  }
}

/** @param {string} method @param {string} path @param {object} [body] */
async function send(method, path, body) {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}
