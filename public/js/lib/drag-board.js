/** Events that are moved by dragging, one after the other, on a board that is drawn again after each move. */
export class DragBoard extends HTMLElement {
  /** A selector of where events can be dropped. */
  places = ''
  /** The data attribute of an event that has its place. */
  at = ''
  /** @type {HTMLElement | null} */
  dragged = null
  /** Moves are sent one after the other. */
  sending = Promise.resolve()
  /** The ID of the event that keeps the focus while the board is drawn again. */
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
  lift({ target, dataTransfer }) {
    if (!(target instanceof HTMLElement) || !target.matches('.event[draggable]') || !dataTransfer) return
    this.dragged = target
    dataTransfer.effectAllowed = 'move'
    dataTransfer.setData('text/plain', target.querySelector('a')?.href ?? '')
    target.toggleAttribute('data-dragging', true)
  }

  /** @param {DragEvent} event */
  hover(event) {
    const place = this.placeAt(event)
    if (!this.dragged || !place) return
    event.preventDefault()
    this.unmark(place)
    this.mark(place, event)
  }

  /** @param {HTMLElement} place @param {DragEvent} event */
  mark(place, event) {
    place.toggleAttribute('data-over', event.type === 'dragover')
  }

  /** @param {DragEvent} event */
  leave({ relatedTarget }) {
    if (!(relatedTarget instanceof Node) || !this.contains(relatedTarget)) this.unmark()
  }

  /** @param {DragEvent} event */
  drop(event) {
    const { dragged } = this
    const place = this.placeAt(event)
    if (!dragged || !place) return
    event.preventDefault()
    const to = this.dropTo(dragged, place, event)
    this.putDown()
    this.move(dragged, to)
  }

  putDown() {
    this.dragged?.removeAttribute('data-dragging')
    this.dragged = null
    this.unmark()
  }

  /** @param {Element} [except] */
  unmark(except) {
    for (const place of this.querySelectorAll('[data-over], [data-drop]'))
      if (place !== except) {
        place.removeAttribute('data-over')
        place.removeAttribute('data-drop')
      }
  }

  /** Where an event can be dropped. @param {Event} event @returns {HTMLElement | null} */
  placeAt({ target }) {
    const place = target instanceof Element ? target.closest(this.places) : null
    return place instanceof HTMLElement ? place : null
  }

  /** The event that a key with Alt alone moves. @param {KeyboardEvent} event @returns {HTMLElement | null} */
  movedBy({ target, altKey, ctrlKey, metaKey, shiftKey }) {
    const moved = target instanceof Element ? target.closest('.event[draggable]') : null
    return altKey && !ctrlKey && !metaKey && !shiftKey && moved instanceof HTMLElement ? moved : null
  }

  /** @param {HTMLElement} event @param {string} to */
  move(event, to) {
    const { at: name } = this
    if (!to || to === event.dataset[name]) return
    const before = { at: event.dataset[name] ?? '', version: event.dataset.version }
    // The next key counts from here, before the response is there.
    event.dataset[name] = to
    this.sending = this.sending
      .catch(() => {})
      .then(async () => {
        const known = document.getElementById(event.id) ?? event
        const version = Number(known.dataset.version || before.version)
        const problem = await this.send(this.request(event.id.replace('event-', ''), to, version))
        if (problem) {
          event.dataset[name] = before.at
          const detail = { message: `Couldn’t move the post. ${problem}`, tone: 'danger' }
          document.dispatchEvent(new CustomEvent('toast', { detail }))
        }
        this.dispatchEvent(new CustomEvent('live'))
      })
  }

  /** @param {{ path: string, method: string, body: object }} request @returns {Promise<string | null>} why it failed */
  async send({ path, method, body }) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (!response?.ok) return answer?.errors?.[0]?.message ?? answer?.detail ?? 'Check your connection.'
    for (const { id, version } of answer?.items ?? [answer]) {
      const event = document.getElementById(`event-${id}`)
      if (event) event.dataset.version = version
    }
    const { toast } = JSON.parse(response.headers.get('hx-trigger') ?? '{}')
    if (toast) document.dispatchEvent(new CustomEvent('toast', { detail: toast }))
    return null
  }

  refocus = () => {
    if (!this.focused || (document.activeElement && document.activeElement !== document.body)) return
    const next = document.getElementById(this.focused)?.querySelector('a') ?? this
    next.focus()
  }

  /** @param {HTMLElement} _event @param {HTMLElement} _place @param {DragEvent} _drop @returns {string} */
  dropTo(_event, _place, _drop) {
    throw new Error('Not defined')
  }

  /**
   * @param {string} _id of the post @param {string} _to @param {number} _version
   * @returns {{ path: string, method: string, body: object }}
   */
  request(_id, _to, _version) {
    throw new Error('Not defined')
  }

  /** @param {KeyboardEvent} _event */
  press(_event) {}
}
