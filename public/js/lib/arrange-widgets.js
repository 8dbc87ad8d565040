/** Pixels after which a press on a widget’s name is a drag. */
const threshold = 6

/** @typedef {HTMLElement & { cards: HTMLElement[], saveMove(moved: HTMLElement): void }} Grid */

/** Moves widgets by pointer, touch and keyboard. @param {Grid} grid */
export function arrange(grid) {
  moveByPointer(grid)
  moveByKeys(grid)
}

/** @param {Grid} grid @param {HTMLElement} card @param {HTMLElement} other */
function moveTo(grid, card, other) {
  const cards = grid.cards
  other[cards.indexOf(card) < cards.indexOf(other) ? 'after' : 'before'](card)
}

/** By the mouse from the whole header, by touch from its icon, since the rest scrolls the page. @param {Grid} grid */
function moveByPointer(grid) {
  grid.addEventListener('pointerdown', (pressed) => {
    const { target, button, pointerType, clientX, clientY } = pressed
    if (!(target instanceof Element) || button !== 0) return
    const card = target.closest('.widget')
    if (!(card instanceof HTMLElement) || !target.closest('.widget > header') || target.closest('button, [popover]'))
      return
    if (pointerType !== 'mouse' && !target.closest('[data-handle]')) return
    let isDragging = false
    /** @type {Element | null} */
    let over = null
    const end = new AbortController()
    const { signal } = end
    addEventListener(
      'pointermove',
      (event) => {
        isDragging ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) > threshold
        if (!isDragging) return
        card.toggleAttribute('data-dragging', true)
        const found = document.elementFromPoint(event.clientX, event.clientY)?.closest('.widget') ?? null
        if (found !== over && found instanceof HTMLElement && found !== card && grid.contains(found))
          moveTo(grid, card, found)
        over = found
      },
      { signal },
    )
    const drop = () => {
      end.abort()
      if (!isDragging) return
      card.removeAttribute('data-dragging')
      grid.saveMove(card)
      // The end of a drag isn't a click on the link that was pressed.
      const swallow = new AbortController()
      addEventListener('click', (event) => event.preventDefault(), { capture: true, signal: swallow.signal })
      setTimeout(() => swallow.abort())
    }
    addEventListener('pointerup', drop, { signal })
    addEventListener('pointercancel', drop, { signal })
  })
  // The link of a widget’s name isn't dragged instead.
  grid.addEventListener('dragstart', (event) => {
    if (event.target instanceof Element && event.target.closest('.widget > header')) event.preventDefault()
  })
}

const steps = new Map([
  ['ArrowLeft', -1],
  ['ArrowUp', -1],
  ['ArrowRight', 1],
  ['ArrowDown', 1],
  ['Home', -Infinity],
  ['End', Infinity],
])

/** “Move” of the menu: arrows move, Enter drops, Escape puts back. @param {Grid} grid */
function moveByKeys(grid) {
  /** @type {{ card: HTMLElement, opener: HTMLElement | null, next: Element | null } | null} */
  let moving = null

  /** @param {HTMLElement} card */
  const say = (card, more = '') => {
    const news = document.getElementById('grid-news')
    const shown = grid.cards.filter((each) => !each.hidden)
    const name = card.querySelector('h2')?.textContent?.trim()
    if (news) news.textContent = `${name}: position ${shown.indexOf(card) + 1} of ${shown.length}.${more}`
  }
  /** @param {boolean} isSaved */
  const finish = (isSaved) => {
    if (!moving) return
    const { card, opener, next } = moving
    moving = null
    card.removeAttribute('data-moving')
    card.removeAttribute('tabindex')
    if (isSaved) grid.saveMove(card)
    else grid.insertBefore(card, next)
    say(card, isSaved ? ' Dropped.' : ' Put back.')
    opener?.focus()
  }

  grid.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-move]') : null
    const card = button?.closest('.widget')
    if (!button || !(card instanceof HTMLElement)) return
    const menu = button.closest('[popover]')
    if (menu instanceof HTMLElement) menu.hidePopover()
    moving = { card, opener: card.querySelector('[popovertarget]'), next: card.nextElementSibling }
    card.toggleAttribute('data-moving', true)
    card.tabIndex = -1
    card.focus()
    say(card, ' Use the arrow keys to move it, Enter to drop it, Escape to put it back.')
  })
  grid.addEventListener('keydown', (event) => {
    if (!moving) return
    const { card } = moving
    const step = steps.get(event.key)
    const isEnd = event.key === 'Enter' || event.key === ' '
    if (step === undefined && !isEnd && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (step === undefined) return finish(isEnd)
    const shown = grid.cards.filter((each) => !each.hidden)
    const other = shown[Math.min(Math.max(shown.indexOf(card) + step, 0), shown.length - 1)]
    if (!other || other === card) return
    const { opener, next } = moving
    // Moving it takes the focus away, which doesn't drop it.
    moving = null
    moveTo(grid, card, other)
    moving = { card, opener, next }
    card.focus()
    card.scrollIntoView({ block: 'nearest' })
    say(card)
  })
  grid.addEventListener('focusout', () =>
    setTimeout(() => moving && !moving.card.contains(document.activeElement) && finish(true)),
  )
}
