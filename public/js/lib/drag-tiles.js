/** Marks the drag of a tile, as opposed to that of files. */
const kind = 'application/x-atrium-tile'

/**
 * Lets a person sort tiles by dragging their images; the buttons do the same by keyboard.
 * @param {HTMLElement} list @param {(tile: HTMLElement) => void} moved after a tile was dropped at another place
 */
export function sortByDragging(list, moved) {
  /** @type {HTMLElement | null} */
  let dragged = null
  /** @param {Event} event */
  const tileAt = ({ target }) => {
    const tile = target instanceof Element ? target.closest('li.attach') : null
    return tile instanceof HTMLElement && list.contains(tile) ? tile : null
  }
  list.addEventListener('dragstart', (event) => {
    dragged = event.target instanceof HTMLImageElement ? tileAt(event) : null
    if (!dragged) return
    event.dataTransfer?.setData(kind, '')
    dragged.toggleAttribute('data-dragged', true)
  })
  list.addEventListener('dragover', (event) => {
    if (!dragged) return
    event.preventDefault()
    const tile = tileAt(event)
    if (!tile || tile === dragged) return
    const { left, width } = tile.getBoundingClientRect()
    if (event.clientX < left + width / 2) tile.before(dragged)
    else tile.after(dragged)
  })
  list.addEventListener('drop', (event) => dragged && event.preventDefault())
  list.addEventListener('dragend', () => {
    dragged?.toggleAttribute('data-dragged', false)
    if (dragged) moved(dragged)
    dragged = null
  })
}
