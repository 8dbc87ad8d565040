import { drawDifference, describeDifference } from './text-changes.js'
import { loadNetworkStyles } from './network-styles.js'
import { fieldNames, textsFor } from './own-texts.js'

/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/** Tabs above the text: the shared one, and what each chosen network gets in its place. */
export class NetworkTexts {
  /** The network whose text is shown; empty for the shared one. */
  active = ''
  /** Texts that were reset, until the next change. @type {Map<string, string[]>} */
  reset = new Map()
  showsChanges = false

  /** @param {PostComposer} composer @param {HTMLElement} tabs @param {HTMLElement} panel */
  constructor(composer, tabs, panel) {
    this.composer = composer
    this.tabs = tabs
    this.panel = panel
    this.shared = panel.querySelector('.parts')
    void loadNetworkStyles(composer)
    this.bar = createBar()
    this.changes = document.createElement('div')
    this.changes.id = 'text-changes'
    this.changes.className = 'changes'
    this.shared?.before(this.bar)
    panel.append(this.changes)
    tabs.addEventListener('click', ({ target }) => this.open(tabOf(target)))
    tabs.addEventListener('keydown', (event) => this.pressed(event))
    panel.addEventListener('input', ({ target }) => this.edited(target))
    this.bar.addEventListener('click', ({ target }) => this.clicked(target))
  }

  /** The first chip of each chosen network. */
  get networks() {
    /** @type {Map<string, HTMLInputElement>} */
    const first = new Map()
    for (const account of this.composer.accounts) {
      const { provider = '' } = account.dataset
      if (!first.has(provider)) first.set(provider, account)
    }
    return first
  }

  /** @param {string} provider */
  listOf(provider) {
    const list = this.panel.querySelector(`.parts[data-network="${provider}"]`)
    return list instanceof HTMLElement ? list : null
  }

  /** @param {string | undefined} provider */
  open(provider) {
    if (provider === undefined || provider === this.active) return
    this.active = provider
    this.showsChanges = false
    this.reset.clear()
    this.draw()
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const tabs = [...this.tabs.querySelectorAll('button')]
    const at = tabs.findIndex((tab) => tab === document.activeElement)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key]
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!tab) return
    event.preventDefault()
    this.open(tabOf(tab))
    tab.focus()
  }

  /** Before the composer draws what changed. @param {EventTarget | null} target */
  edited(target) {
    const list = target instanceof Element ? target.closest('.parts[data-network]') : null
    if (list instanceof HTMLElement) this.keep(list.dataset.network ?? '', valuesOf(list))
  }

  /** The same text as the shared one isn't its own. @param {string} provider @param {string[]} texts */
  keep(provider, texts) {
    const { own, texts: shared } = this.composer
    this.reset.delete(provider)
    if (texts.join('\0') === shared.join('\0')) delete own[provider]
    else own[provider] = texts
  }

  add() {
    this.keep(this.active, [...textsFor(this.composer, this.active), ''])
    this.changed()
    this.focus(-1)
  }

  /** @param {Element} part */
  remove(part) {
    const list = part.closest('ol')
    if (!list) return
    const at = [...list.children].indexOf(part)
    this.keep(this.active, valuesOf(list).toSpliced(at, 1))
    this.changed()
    this.focus(Math.max(at - 1, 0))
  }

  /** @param {number} at a post of the shown network */
  focus(at) {
    ;[...(this.listOf(this.active)?.querySelectorAll('textarea') ?? [])].at(at)?.focus()
  }

  /** @param {EventTarget | null} target */
  clicked(target) {
    const button = target instanceof Element ? target.closest('button') : null
    const { own } = this.composer
    const { active } = this
    const texts = own[active]
    if (button?.dataset.does === 'changes') this.showsChanges = !this.showsChanges
    else if (button?.dataset.does === 'reset' && texts) {
      this.reset.set(active, texts)
      delete own[active]
    } else if (button?.dataset.does === 'undo') {
      this.keep(active, this.reset.get(active) ?? [])
    } else return
    this.changed()
    ;[...this.bar.querySelectorAll('button')].find(({ hidden }) => !hidden)?.focus()
  }

  changed() {
    this.composer.draw()
    this.composer.input?.changed()
  }

  /** Opens the text that the server didn't accept. */
  showWrong() {
    const list = this.panel.querySelector('textarea[aria-invalid]')?.closest('ol')
    if (list) this.open(list.dataset.network ?? '')
  }

  draw() {
    const { networks, composer } = this
    const isSplit = networks.size > 1 || [...networks.keys()].some((provider) => composer.own[provider])
    if (!isSplit || (this.active !== '' && !networks.has(this.active))) this.active = ''
    this.tabs.hidden = !isSplit
    this.panel.role = isSplit ? 'tabpanel' : null
    if (isSplit) this.panel.setAttribute('aria-labelledby', `text-tab-${this.active}`)
    else this.panel.removeAttribute('aria-labelledby')
    this.drawTabs(networks)
    if (this.shared instanceof HTMLElement) this.shared.hidden = this.active !== ''
    for (const list of this.panel.querySelectorAll('[data-network]'))
      if (list instanceof HTMLElement && !networks.has(list.dataset.network ?? '')) list.remove()
    for (const provider of networks.keys()) this.drawList(provider)
    this.drawBar()
  }

  /** @param {string} provider */
  nameOf(provider) {
    return this.networks.get(provider)?.dataset.name ?? 'all networks'
  }

  /** @param {Map<string, HTMLInputElement>} networks */
  drawTabs(networks) {
    const before = new Map([...this.tabs.querySelectorAll('button')].map((tab) => [tab.dataset.tab ?? '', tab]))
    const tabs = ['', ...networks.keys()].map((provider) => before.get(provider) ?? this.createTab(provider))
    const isSame = tabs.length === this.tabs.children.length && tabs.every((tab, at) => this.tabs.children[at] === tab)
    if (!isSame) this.tabs.replaceChildren(...tabs)
    for (const tab of tabs) {
      const isActive = tab.dataset.tab === this.active
      tab.ariaSelected = String(isActive)
      tab.tabIndex = isActive ? 0 : -1
      const badge = tab.querySelector('.badge')
      if (badge instanceof HTMLElement) badge.hidden = !this.composer.own[tab.dataset.tab ?? '']
    }
  }

  /** @param {string} provider */
  createTab(provider) {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.role = 'tab'
    tab.id = `text-tab-${provider}`
    tab.dataset.tab = provider
    tab.setAttribute('aria-controls', this.panel.id)
    if (provider === '') {
      tab.textContent = 'All networks'
      return tab
    }
    const account = this.networks.get(provider)
    const mark = account?.closest('label')?.querySelector('.net')?.cloneNode(true)
    const badge = document.createElement('span')
    badge.className = 'badge'
    badge.textContent = 'custom'
    tab.append(...(mark ? [mark] : []), account?.dataset.name ?? provider, badge)
    return tab
  }

  /** Lists of other networks remain hidden, so that the server's messages find their fields. @param {string} provider */
  drawList(provider) {
    const { composer, active } = this
    const own = composer.own[provider]
    const before = this.listOf(provider)
    if (!own && provider !== active) return before?.remove()
    const list = before ?? this.createList(provider)
    list.hidden = provider !== active
    const texts = textsFor(composer, provider)
    while (list.children.length > texts.length) list.lastElementChild?.remove()
    while (list.children.length < texts.length) list.append(composer.createPart())
    const at = composer.accounts.findIndex(({ dataset }) => dataset.provider === provider)
    const names = own ? fieldNames(composer, at, own) : []
    const name = this.nameOf(provider)
    list.querySelectorAll('textarea').forEach((field, part) => {
      const [value = '', isAlone] = [texts[part], texts.length === 1]
      if (field.value !== value) field.value = value
      field.name = names[part] ?? ''
      field.ariaLabel = isAlone ? `Text for ${name}` : `Post ${part + 1} of ${texts.length} for ${name}`
      const number = field.parentElement?.querySelector('.part-no')
      if (!(number instanceof HTMLElement)) return
      number.hidden = isAlone
      const badge = number.querySelector('.badge')
      if (badge) badge.textContent = `${part + 1} of ${texts.length}`
    })
  }

  /** @param {string} provider */
  createList(provider) {
    const list = document.createElement('ol')
    list.className = 'parts'
    list.dataset.network = provider
    this.changes.before(list)
    return list
  }

  drawBar() {
    const { composer, active, bar, changes } = this
    const own = composer.own[active]
    const name = this.nameOf(active)
    bar.hidden = active === ''
    const words = own
      ? `${name} has its own text: ${describeDifference(composer.texts, own)}.`
      : `${name} gets the shared text. A change here is only for ${name}.`
    const output = bar.querySelector('span')
    if (output && output.textContent !== words) output.textContent = words
    for (const button of bar.querySelectorAll('button')) {
      const { does } = button.dataset
      button.hidden = does === 'undo' ? !this.reset.has(active) : !own
      if (does !== 'changes') continue
      button.ariaExpanded = String(this.showsChanges)
      button.textContent = this.showsChanges ? 'Hide changes' : 'Show changes'
    }
    changes.hidden = !own || !this.showsChanges
    changes.replaceChildren(...(own && !changes.hidden ? drawDifference(composer.texts, own, name) : []))
  }
}

/** @param {EventTarget | null} target */
function tabOf(target) {
  const tab = target instanceof Element ? target.closest('[data-tab]') : null
  return tab instanceof HTMLElement ? tab.dataset.tab : undefined
}

/** @param {Element} list */
const valuesOf = (list) => [...list.querySelectorAll('textarea')].map(({ value }) => value)

function createBar() {
  const bar = document.createElement('div')
  bar.className = 'variant'
  bar.hidden = true
  const words = document.createElement('span')
  words.role = 'status'
  const actions = Object.entries({
    changes: 'Show changes',
    reset: 'Reset to shared text',
    undo: 'Undo reset',
  }).map(([does, label]) => {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'button', textContent: label })
    Object.assign(button.dataset, { does, variant: 'ghost', size: 'sm' })
    if (does === 'changes') button.setAttribute('aria-controls', 'text-changes')
    return button
  })
  bar.append(words, ...actions)
  return bar
}
