/** Moves posts of the calendar: by dragging them, and by Alt with the arrow keys. */
class CalendarBoard extends HTMLElement {
  /** @type {HTMLElement | null} */
  dragged = null
  /** From the top of the dragged event to the pointer, in pixels. */
  grip = 0
  /** Moves are sent one after the other. */
  sending = Promise.resolve()
  /** The event that keeps the focus while the calendar is drawn again. */
  focused = ''

  connectedCallback() {
    this.tabIndex = -1
    this.addEventListener('dragstart', (event) => this.lift(event))
    this.addEventListener('dragover', (event) => this.hover(event))
    this.addEventListener('dragleave', (event) => this.leave(event))
    this.addEventListener('drop', (event) => this.drop(event))
    this.addEventListener('dragend', () => this.putDown())
    this.addEventListener('keydown', (event) => this.press(event))
    document.addEventListener('htmx:after:swap', this.refocus)
  }

  disconnectedCallback() {
    document.removeEventListener('htmx:after:swap', this.refocus)
  }

  /** @param {DragEvent} event */
  lift({ target, dataTransfer, clientY }) {
    if (!(target instanceof HTMLElement) || !target.matches('.event[draggable]') || !dataTransfer) return
    this.dragged = target
    this.grip = clientY - target.getBoundingClientRect().top
    dataTransfer.effectAllowed = 'move'
    dataTransfer.setData('text/plain', target.querySelector('a')?.href ?? '')
    target.toggleAttribute('data-dragging', true)
  }

  /** @param {DragEvent} event */
  hover(event) {
    const day = this.dayAt(event)
    if (!this.dragged || !day) return
    event.preventDefault()
    this.unmark(day)
    if (!day.matches('.col')) {
      day.toggleAttribute('data-over', true)
      return
    }
    const time = this.timeAt(day, event)
    day.dataset.drop = time
    day.style.setProperty('--drop', String(hoursOf(time)))
  }

  /** @param {DragEvent} event */
  leave({ relatedTarget }) {
    if (!(relatedTarget instanceof Node) || !this.contains(relatedTarget)) this.unmark()
  }

  /** @param {DragEvent} event */
  drop(event) {
    const { dragged } = this
    const day = this.dayAt(event)
    if (!dragged || !day) return
    event.preventDefault()
    const date = day.dataset.date ?? ''
    const time = day.matches('.col') ? this.timeAt(day, event) : (dragged.dataset.at ?? '').slice(11)
    this.putDown()
    this.move(dragged, `${date}T${time}`)
  }

  putDown() {
    this.dragged?.removeAttribute('data-dragging')
    this.dragged = null
    this.unmark()
  }

  /** @param {Element} [except] */
  unmark(except) {
    for (const day of this.querySelectorAll('[data-over], [data-drop]'))
      if (day !== except) {
        day.removeAttribute('data-over')
        day.removeAttribute('data-drop')
      }
  }

  /** @param {DragEvent} event @returns {HTMLElement | null} */
  dayAt({ target }) {
    const day = target instanceof Element ? target.closest('[data-date]') : null
    return day instanceof HTMLElement ? day : null
  }

  /** At a full quarter of an hour. @param {HTMLElement} column @param {DragEvent} event */
  timeAt(column, { clientY }) {
    const { top, height } = column.getBoundingClientRect()
    const style = getComputedStyle(column)
    const [from = 0, hours = 24] = ['--from', '--hours'].map((name) => Number(style.getPropertyValue(name)))
    const at = from + ((clientY - this.grip - top) / height) * hours
    const quarters = Math.min(Math.max(Math.round(at * 4), 0), 24 * 4 - 1)
    return `${pad(Math.floor(quarters / 4))}:${pad((quarters % 4) * 15)}`
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
    const moved = target instanceof Element ? target.closest('.event[draggable]') : null
    const minutes = (this.dataset.view === 'week' ? steps.week : steps.other)[key]
    if (!altKey || ctrlKey || metaKey || shiftKey || !minutes || !(moved instanceof HTMLElement)) return
    event.preventDefault()
    this.focused = moved.id
    this.move(moved, later(moved.dataset.at ?? '', minutes))
  }

  /** @param {HTMLElement} event @param {string} localTime */
  move(event, localTime) {
    if (localTime === event.dataset.at) return
    const before = { at: event.dataset.at, version: event.dataset.version }
    // The next key counts from here, before the response is there.
    event.dataset.at = localTime
    this.sending = this.sending
      .catch(() => {})
      .then(async () => {
        const known = document.getElementById(event.id) ?? event
        const problem = await this.send(event, { localTime, version: Number(known.dataset.version || before.version) })
        if (problem) {
          event.dataset.at = before.at
          const detail = { message: `Couldn’t move the post. ${problem}`, tone: 'danger' }
          document.dispatchEvent(new CustomEvent('toast', { detail }))
        }
        this.dispatchEvent(new CustomEvent('live'))
      })
  }

  /** @param {HTMLElement} event @param {object} body @returns {Promise<string | null>} why it failed */
  async send(event, body) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const path = `/api/calendar/${event.id.replace('event-', '')}`
    const response = await fetch(path, { method: 'PATCH', headers, body: JSON.stringify(body) }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (!response?.ok) return answer?.errors?.[0]?.message ?? answer?.detail ?? 'Check your connection.'
    event.dataset.version = answer?.version ?? ''
    const { toast } = JSON.parse(response.headers.get('hx-trigger') ?? '{}')
    if (toast) document.dispatchEvent(new CustomEvent('toast', { detail: toast }))
    return null
  }

  refocus = () => {
    if (!this.focused || (document.activeElement && document.activeElement !== document.body)) return
    const link = document.querySelector(`#${CSS.escape(this.focused)} > a`)
    const next = link instanceof HTMLElement ? link : this
    next.focus()
  }
}

const day = 24 * 60

/** Minutes by which a key moves a post. @type {Record<'week' | 'other', Record<string, number>>} */
const steps = {
  week: { ArrowLeft: -day, ArrowRight: day, ArrowUp: -60, ArrowDown: 60 },
  other: { ArrowLeft: -day, ArrowRight: day, ArrowUp: -7 * day, ArrowDown: 7 * day },
}

/** A wall time some minutes later, without a zone: a day later is the same time of day. @param {string} at @param {number} minutes */
const later = (at, minutes) => new Date(Date.parse(`${at}Z`) + minutes * 60_000).toISOString().slice(0, 16)

/** @param {number} value */
const pad = (value) => String(value).padStart(2, '0')

/** @param {string} time */
const hoursOf = (time) => Number(time.slice(0, 2)) + Number(time.slice(3)) / 60

customElements.define('calendar-board', CalendarBoard)
