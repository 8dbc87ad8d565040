import { DragBoard } from '../lib/drag-board.js'

/** Moves posts between the slots of the queue: by dragging them, and by Alt with the arrow keys. */
class QueueBoard extends DragBoard {
  places = '[data-to]'
  at = 'to'

  connectedCallback() {
    super.connectedCallback()
    this.addEventListener('htmx:after:request', ({ target }) => {
      if (target instanceof HTMLFormElement) this.dispatchEvent(new CustomEvent('live'))
    })
  }

  /** @param {HTMLElement} _ @param {HTMLElement} slot */
  dropTo(_, slot) {
    return slot.dataset.to ?? ''
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const moved = this.movedBy(event)
    const step = steps[event.key]
    if (!moved || !step) return
    event.preventDefault()
    this.focused = moved.id
    this.move(moved, this.adjacentSlot(moved, step))
  }

  /** Also of other pages, and of a post outside of the slots. @param {HTMLElement} event @param {number} step */
  adjacentSlot(event, step) {
    const slots = [...this.querySelectorAll('[data-to]')].map((slot) =>
      slot instanceof HTMLElement && slot !== event ? (slot.dataset.to ?? '') : '',
    )
    const own = event.dataset.to
    const sorted = [...new Set([...slots, own ?? ''])].filter((to) => to !== '').toSorted()
    const adjacent = own && sorted[sorted.indexOf(own) + step]
    const button = event.querySelector(step < 0 ? '[id^="earlier-"]' : '[id^="later-"]')
    return adjacent || (button instanceof HTMLButtonElement ? button.value : '')
  }

  /** @param {string} postId @param {string} to @param {number} version */
  request(postId, to, version) {
    return { path: '/api/queue/moves', method: 'POST', body: { postId, to, version } }
  }
}

/** Slots by which a key moves a post. @type {Record<string, number>} */
const steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

customElements.define('queue-board', QueueBoard)
