import { DragBoard } from '../lib/drag-board.js'

/** Moves posts of the calendar: by dragging them, and by Alt with the arrow keys. */
class CalendarBoard extends DragBoard {
  /** From the top of the dragged event to the pointer, in pixels. */
  grip = 0

  places = '[data-date]'
  at = 'at'

  /** @param {DragEvent} event */
  lift(event) {
    super.lift(event)
    if (this.dragged) this.grip = event.clientY - this.dragged.getBoundingClientRect().top
  }

  /** @param {HTMLElement} day @param {DragEvent} event */
  mark(day, event) {
    if (!day.matches('.col')) return super.mark(day, event)
    const time = this.timeAt(day, event)
    day.dataset.drop = time
    day.style.setProperty('--drop', String(hoursOf(time)))
  }

  /** @param {HTMLElement} dragged @param {HTMLElement} day @param {DragEvent} event */
  dropTo(dragged, day, event) {
    const time = day.matches('.col') ? this.timeAt(day, event) : (dragged.dataset.at ?? '').slice(11)
    return `${day.dataset.date}T${time}`
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
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!altKey && !ctrlKey && !metaKey && !shiftKey) return this.walk(event)
    const moved = this.movedBy(event)
    const minutes = (this.dataset.view === 'week' ? steps.week : steps.other)[key]
    if (!moved || !minutes) return
    event.preventDefault()
    this.focused = moved.id
    this.move(moved, later(moved.dataset.at ?? '', minutes))
  }

  /** Moves the focus between the days of the month or agenda. @param {KeyboardEvent} event */
  walk(event) {
    const from = event.target instanceof Element ? event.target.closest('.day') : null
    const days = [...this.querySelectorAll('.day')]
    const step = (this.dataset.view === 'month' ? daysBetween.month : daysBetween.agenda)[event.key]
    if (!from || !step) return
    event.preventDefault()
    // Days without links are skipped.
    for (let at = days.indexOf(from) + step; at >= 0 && at < days.length; at += step) {
      const link = days[at]?.querySelector('header a') ?? days[at]?.querySelector('a')
      if (link instanceof HTMLElement) return link.focus()
    }
  }

  /** @param {string} id @param {string} localTime @param {number} version */
  request(id, localTime, version) {
    return { path: `/api/calendar/${id}`, method: 'PATCH', body: { localTime, version } }
  }
}

const day = 24 * 60

/** Minutes by which a key moves a post. @type {Record<'week' | 'other', Record<string, number>>} */
const steps = {
  week: { ArrowLeft: -day, ArrowRight: day, ArrowUp: -60, ArrowDown: 60 },
  other: { ArrowLeft: -day, ArrowRight: day, ArrowUp: -7 * day, ArrowDown: 7 * day },
}

/** Days by which a key moves the focus. @type {Record<'month' | 'agenda', Record<string, number>>} */
const daysBetween = {
  month: { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 },
  agenda: { ArrowUp: -1, ArrowDown: 1 },
}

/** A wall time some minutes later, without a zone: a day later is the same time of day. @param {string} at @param {number} minutes */
const later = (at, minutes) => new Date(Date.parse(`${at}Z`) + minutes * 60_000).toISOString().slice(0, 16)

/** @param {number} value */
const pad = (value) => String(value).padStart(2, '0')

/** @param {string} time */
const hoursOf = (time) => Number(time.slice(0, 2)) + Number(time.slice(3)) / 60

customElements.define('calendar-board', CalendarBoard)
