import { arrange } from '../lib/arrange-widgets.js'
import { offerReset } from '../lib/own-layout.js'

/** Milliseconds between two refreshes of a widget, and after which its age is written again. */
const refreshEvery = 45_000
const tickEvery = 1_000

const path = '/api/dashboard/layout'

/**
 * @typedef {{ app: string, columns: number, hidden: boolean }} Place
 * @typedef {{ widgets: Place[], version: number }} Layout
 */

/** The widgets of the dashboard: loads them, refreshes them while the page is visible, and saves how they are arranged. */
class WidgetGrid extends HTMLElement {
  /** When each was requested last. @type {WeakMap<Element, number>} */
  requestedAt = new WeakMap()
  /** Changes are saved one after the other. */
  saving = Promise.resolve()

  connectedCallback() {
    this.addEventListener('htmx:config:request', askAgain)
    this.addEventListener('htmx:before:request', (event) => this.admit(event))
    for (const name of ['htmx:before:response', 'htmx:error'])
      this.addEventListener(name, (event) => this.showFailure(event))
    this.addEventListener('click', ({ target }) => target instanceof Element && this.choose(target))
    document.addEventListener('click', ({ target }) => {
      const app = target instanceof Element ? target.closest('[data-show]')?.getAttribute('data-show') : null
      if (app) this.setHidden(app, false)
    })
    document.addEventListener('undone', () => void this.reload())
    document.addEventListener('visibilitychange', () => this.tick())
    // Those that were requested before this element was defined. A request that failed meanwhile is repeated.
    if (!document.hidden) for (const card of this.cards) if (isRequested(card)) this.requestedAt.set(card, Date.now())
    setInterval(() => this.tick(), tickEvery)
    arrange(this)
    offerReset(this)
  }

  /** @returns {HTMLElement[]} */
  get cards() {
    return [...this.querySelectorAll('.widget')].filter((card) => card instanceof HTMLElement)
  }

  /** @param {string} app */
  cardOf(app) {
    return this.cards.find((card) => card.dataset.app === app)
  }

  /** Nothing is requested for a hidden widget, or in a hidden tab. @param {Event} event */
  admit(event) {
    const card = event.target
    if (!(card instanceof HTMLElement) || !card.matches('.widget')) return
    if (!card.hidden && !document.hidden) {
      this.requestedAt.set(card, Date.now())
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  tick() {
    if (document.hidden) return
    const every = Number(this.dataset.every ?? refreshEvery)
    for (const card of this.cards) {
      const isDue = Date.now() - (this.requestedAt.get(card) ?? 0) >= every
      if (isDue && !card.hidden) card.dispatchEvent(new CustomEvent('refresh'))
    }
    for (const age of this.querySelectorAll('time[data-age]')) {
      const text = ageText(Date.now() - Date.parse(age.getAttribute('datetime') ?? ''))
      if (age.textContent !== text) age.textContent = text
    }
  }

  /** A widget that was never loaded says so; others keep their content. @param {Event} event */
  showFailure(event) {
    if (!(event instanceof CustomEvent) || (event.type !== 'htmx:error' && event.detail.ctx.response.status < 400))
      return
    const body = event.target instanceof Element ? event.target.querySelector('.body[aria-busy]') : null
    const template = this.querySelector('template')
    if (body && template) body.replaceWith(document.importNode(template.content, true))
  }

  /** A command of a widget. @param {Element} target */
  choose(target) {
    const card = target.closest('.widget')
    const button = target.closest('[data-retry], [data-hide], [data-columns]')
    if (!(card instanceof HTMLElement) || !(button instanceof HTMLElement)) return
    const menu = button.closest('[popover]')
    if (menu instanceof HTMLElement) menu.hidePopover()
    if (button.matches('[data-retry]')) card.dispatchEvent(new CustomEvent('refresh'))
    else if (button.matches('[data-hide]')) this.setHidden(card.dataset.app ?? '', true)
    else this.resize(card.dataset.app ?? '', Number(button.dataset.columns))
  }

  /** @param {string} app @param {boolean} hidden */
  setHidden(app, hidden) {
    const before = this.places()
    const name = this.cardOf(app)?.querySelector('h2')?.textContent?.trim() ?? ''
    const next = this.cards.find((card) => !card.hidden && card.dataset.app !== app)
    const undo = { method: 'PUT', href: path, body: { widgets: before } }
    void this.save(
      (widgets) => widgets.map((each) => (each.app === app ? { ...each, hidden } : each)),
      hidden ? { message: `${name} hidden`, undo } : undefined,
    )
    const focused = hidden ? (next ?? document.getElementById('hidden-widgets')) : this.cardOf(app)
    focused?.querySelector('button')?.focus()
  }

  /** @param {string} app @param {number} columns */
  resize(app, columns) {
    void this.save((widgets) => widgets.map((each) => (each.app === app ? { ...each, columns } : each)))
  }

  /** Saves the order of the page, in which a widget was moved. @param {HTMLElement} moved */
  saveMove(moved) {
    const app = moved.dataset.app
    const following = moved.nextElementSibling
    const next = following instanceof HTMLElement ? following.dataset.app : undefined
    void this.save((widgets) => {
      const others = widgets.filter((each) => each.app !== app)
      const at = others.findIndex((each) => each.app === next)
      return others.toSpliced(at < 0 ? others.length : at, 0, ...widgets.filter((each) => each.app === app))
    })
  }

  /** @returns {Place[]} */
  places() {
    return this.cards.map(({ dataset, style, hidden }) => ({
      app: dataset.app ?? '',
      columns: Number(style.getPropertyValue('--cols')),
      hidden: Boolean(hidden),
    }))
  }

  /**
   * Shows a change at once and saves it. When the layout was changed elsewhere meanwhile, the change is repeated on that.
   * @param {(widgets: Place[]) => Place[]} edit @param {object} [toast]
   */
  save(edit, toast) {
    this.show({ widgets: edit(this.places()), version: Number(this.dataset.version) })
    this.saving = this.saving.then(async () => {
      try {
        const saved = (await this.put(edit(this.places()))) ?? (await this.put(edit((await this.load()).widgets)))
        if (!saved) throw new Error('Try again.')
        this.show(saved)
        if (toast) document.dispatchEvent(new CustomEvent('toast', { detail: toast }))
      } catch (error) {
        const reason =
          error instanceof TypeError ? 'Check your connection.' : String(error instanceof Error && error.message)
        const detail = { message: `Couldn’t save the layout. ${reason}`, tone: 'danger' }
        document.dispatchEvent(new CustomEvent('toast', { detail }))
        await this.reload()
      }
    })
    return this.saving
  }

  /** @param {Place[]} widgets @returns {Promise<Layout | null>} null when it was changed elsewhere */
  async put(widgets) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const version = { 'if-match': `"${this.dataset.version}"` }
    const body = JSON.stringify({ widgets })
    const response = await fetch(path, { method: 'PUT', headers: { ...headers, ...version }, body })
    if (response.status === 409) return null
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.detail)
    return answer
  }

  /** @returns {Promise<Layout>} */
  async load() {
    const response = await fetch(path, { headers: { accept: 'application/json' } })
    const layout = await response.json()
    if (!response.ok) throw new Error(layout.detail)
    this.dataset.version = layout.version
    return layout
  }

  async reload() {
    const layout = await this.load().catch(() => null)
    if (layout) this.show(layout)
  }

  /** @param {Layout} layout */
  show({ widgets, version }) {
    this.dataset.version = String(version)
    for (const { app, columns, hidden } of widgets) {
      const card = this.cardOf(app)
      if (!card) continue
      card.style.setProperty('--cols', String(columns))
      card.hidden = hidden
      for (const size of card.querySelectorAll('[data-columns]'))
        if (Number(size.getAttribute('data-columns')) === columns) size.setAttribute('aria-current', 'true')
        else size.removeAttribute('aria-current')
      const item = document.querySelector(`[data-show="${CSS.escape(app)}"]`)
      if (item instanceof HTMLElement) item.hidden = !hidden
    }
    const order = widgets.map(({ app }) => app).join()
    if (this.cards.map(({ dataset }) => dataset.app).join() !== order)
      for (const { app } of widgets) {
        const card = this.cardOf(app)
        if (card) this.append(card)
      }
    this.showCount(widgets.filter(({ hidden }) => hidden).length, widgets.length)
    this.tick()
  }

  /** @param {number} hidden @param {number} all */
  showCount(hidden, all) {
    const below = document.getElementById('hidden-widgets')
    const words = below?.querySelector('button > span')
    if (below) below.hidden = hidden === 0
    if (words) words.textContent = `Hidden widgets (${hidden})`
    const own = document.getElementById('own-layout')
    if (own) own.hidden = this.dataset.version === '0'
    const empty = document.getElementById('all-hidden')
    if (empty) empty.hidden = hidden < all
  }
}

/** Whether it is shown and was loaded or is loading. @param {HTMLElement} card */
const isRequested = (card) =>
  !card.hidden && (card.classList.contains('htmx-request') || !card.querySelector('.body[aria-busy]'))

/** After a change of the app, what the server has of it is out of date. @param {Event} event */
function askAgain(event) {
  if (!(event instanceof CustomEvent)) return
  const { sourceEvent, request } = event.detail.ctx
  if (sourceEvent?.type === 'live' && request.body instanceof FormData) request.body.append('changed', 'true')
}

/** @param {number} ms */
function ageText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 10) return 'Now'
  return seconds < 60 ? `${seconds} s old` : `${Math.floor(seconds / 60)} min old`
}

customElements.define('widget-grid', WidgetGrid)
