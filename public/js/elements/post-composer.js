import { countImages, networksOf } from '../lib/post-images.js'
import { ComposerAccounts } from '../lib/composer-accounts.js'
import { drawComment, shapeComment } from '../lib/comment-field.js'
import { shapeLink, wantsLink } from '../lib/link-field.js'
import { StoredInput } from '../lib/stored-input.js'
import { shapeOwnTexts, textsFor } from '../lib/own-texts.js'
import { describeThreadLimits, fullestPost } from '../lib/thread-limits.js'
import { countPerPost } from '../lib/thread-images.js'
import { instantInWords, scheduleInWords } from '../lib/wall-time.js'
import { drawYouTube, shapeYouTube } from '../lib/youtube-fields.js'
import { MediaPicker } from './media-picker.js'

export class PostComposer extends HTMLElement {
  opened = performance.now()
  savesDraft = false
  completes = false
  /** Whether the schedule was edited. Otherwise the post keeps its time to the second. */
  moved = false

  /** @type {import('../lib/own-texts.js').OwnTexts} */
  own = {}
  /** Once several networks are chosen. @type {import('../lib/network-texts.js').NetworkTexts | null} */
  networks = null
  /** Once there is something to show. @type {Promise<import('../lib/preview/network-preview.js').NetworkPreview> | null} */
  preview = null
  /** Once there is a link, or a card of one. @type {import('../lib/link-preview.js').LinkPreviewField | null} */
  link = null
  /** @type {StoredInput | null} */
  input = null
  /** @type {ComposerAccounts | null} */
  connecting = null

  connectedCallback() {
    // Capture phase, so that it runs before htmx.
    this.addEventListener('submit', (event) => this.submitting(event), true)
    this.addEventListener('formdata', (event) => this.shape(event.formData), true)
    for (const type of ['input', 'change']) this.addEventListener(type, (event) => this.changed(event))
    this.addEventListener('checked', () => this.draw())
    this.addEventListener('click', (event) => this.clicked(event))
    this.addEventListener('keydown', (event) => this.pressed(event))
    this.addEventListener('focusin', (event) => this.focused(event))
    this.addEventListener('problem', (event) => this.refused(event))
    this.addEventListener('htmx:after:request', (event) => this.answered(event))
    this.addEventListener('htmx:error', () => this.input?.autosave.resume())
    // The zones of the form are filled in by an element that is defined later.
    setTimeout(() => {
      this.input = new StoredInput(this)
      this.draw()
      this.connecting = new ComposerAccounts(this)
    })
    this.draw()
  }

  get parts() {
    return [...this.querySelectorAll('textarea')].filter((field) => field.closest('.parts:not([data-network])'))
  }

  get texts() {
    return this.parts.map(({ value }) => value)
  }

  get accounts() {
    return [...this.inputs('account')].filter(({ checked }) => checked)
  }

  get picker() {
    const picker = this.querySelector('media-picker')
    return picker instanceof MediaPicker ? picker : null
  }

  /** A scheduled or planned post whose time isn't edited. */
  get keepsTime() {
    return 'timed' in this.dataset && !this.moved
  }

  get isUploading() {
    return this.picker !== null && this.picker.uploaded.length < this.picker.kept.length
  }

  get when() {
    return this.inputs('when').find(({ checked }) => checked)?.value ?? 'at'
  }

  /** Without an account there is nothing to schedule. */
  get onlyDraft() {
    return (this.when === 'none' && !this.dataset.gated) || this.inputs('account').length === 0
  }

  /** By the server's clock, since the computer's can be wrong. */
  get now() {
    return Date.parse(this.dataset.now ?? '') + performance.now() - this.opened
  }

  /** @param {string} name */
  inputs(name) {
    return [...this.querySelectorAll('input')].filter((input) => input.name === name)
  }

  /** @param {string} name */
  value(name) {
    const field = this.querySelector(`[name="${name}"]`)
    return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : ''
  }

  /** @param {Event} event */
  changed({ target }) {
    if (target instanceof HTMLTextAreaElement) this.complete(target)
    if (target instanceof Element && target.closest('fieldset[aria-label="When"]')) this.moved = true
    if (target instanceof Element) target.closest('[data-invalid]')?.removeAttribute('data-invalid')
    this.draw()
    this.input?.changed()
  }

  /** From the first `#` or `@` on. @param {HTMLTextAreaElement} field */
  complete(field) {
    if (this.completes || !/[#@]\S{0,50}$/.test(field.value.slice(0, field.selectionEnd))) return
    this.completes = true
    import('../lib/tag-completion.js')
      .then(({ completeTags }) => completeTags(this, field))
      .catch(() => (this.completes = false))
  }

  /** New images belong to the post that was edited last. @param {Event} event */
  focused({ target }) {
    if (!(target instanceof HTMLTextAreaElement) || !this.picker) return
    const at = this.parts.indexOf(target)
    if (at >= 0) this.picker.post = at
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key !== 'Enter' || event.isComposing) return
    const sends = event.ctrlKey || event.metaKey
    // Browsers submit a form by Enter in a field.
    if (sends || event.target instanceof HTMLInputElement) event.preventDefault()
    if (!sends) return
    const submit = this.querySelector('[data-submit]')
    if (submit instanceof HTMLButtonElement) submit.form?.requestSubmit(submit)
  }

  /** @param {Event} event */
  refused(event) {
    this.networks?.showWrong()
    const code = event instanceof CustomEvent && event.detail
    // The edit voided its approvals.
    if (code === 'approval_required') {
      this.dataset.gated = 'Request review'
      this.draw()
    }
    if (code === 'version_conflict')
      void import('../lib/composer-conflict.js').then(({ showConflict }) => showConflict(this))
    else if (event.target instanceof Element && this.picker?.mark(event.target)) removeIfEmpty(event.target)
  }

  /** @param {Event} event */
  answered(event) {
    if (!(event instanceof CustomEvent) || event.target !== this.querySelector('form')) return
    const { hx, response } = event.detail.ctx
    const isSignedOut = hx?.redirect?.startsWith('/login')
    if (response?.status < 400 && !isSignedOut) return this.input?.autosave.end()
    this.input?.autosave.resume()
    if (!isSignedOut) return
    event.preventDefault()
    event.stopPropagation()
    this.input?.autosave.fail(401)
  }

  /** @param {MouseEvent} event */
  clicked({ target }) {
    if (!(target instanceof Element)) return
    if (target.closest('[data-add]')) this.addPart()
    if (target.closest('[data-discard]')) void this.input?.discard()
    const removed = target.closest('[data-remove]')?.closest('li')
    if (removed) this.removePart(removed)
  }

  createPart() {
    const template = this.querySelector('template[data-part]')
    return template instanceof HTMLTemplateElement ? document.importNode(template.content, true) : ''
  }

  appendPart() {
    this.querySelector('.parts')?.append(this.createPart())
  }

  addPart() {
    if (this.networks?.active) return this.networks.add()
    this.appendPart()
    this.draw()
    this.input?.changed()
    this.parts.at(-1)?.focus()
  }

  /** @param {Element} part */
  removePart(part) {
    if (part.closest('[data-network]')) return this.networks?.remove(part)
    const before = part.previousElementSibling ?? part.nextElementSibling
    const at = this.parts.findIndex((text) => part.contains(text))
    part.remove()
    this.picker?.removePost(at)
    this.draw()
    this.input?.changed()
    before?.querySelector('textarea')?.focus()
  }

  /** @param {SubmitEvent} event */
  submitting(event) {
    const { submitter, target: form } = event
    if (!(form instanceof HTMLFormElement)) return
    this.savesDraft = (submitter?.hasAttribute('data-draft') ?? false) || this.onlyDraft
    const isWrong = this.showFaults()
    const isNoPost = !isWrong && this.accounts.length === 0
    const { autosave } = this.input ?? {}
    if (!isWrong && !isNoPost && !autosave?.sending) return autosave?.pause()
    event.preventDefault()
    event.stopImmediatePropagation()
    // A copy that arrives after the post was saved would remain.
    if (isNoPost) void this.input?.keepDraft()
    else if (!isWrong) void autosave?.sending?.then(() => form.requestSubmit(submitter))
  }

  /** Marks what the server can't know: no account, and files that aren't uploaded. */
  showFaults() {
    const faults = {
      targets: this.accounts.length === 0 && !this.savesDraft ? 'Choose at least one account.' : '',
      images: this.picker?.faultOf({ isDraft: this.savesDraft }) ?? '',
    }
    const wrong = Object.entries(faults).flatMap(([id, message]) => {
      const group = this.querySelector(`#${id}`)
      if (!group || message === '') return []
      group.setAttribute('data-invalid', '')
      say(group.querySelector(`#${id}-error span`), message)
      return [group]
    })
    const first = wrong[0]?.querySelector('input:not([type="hidden"]), a, button')
    if (first instanceof HTMLElement) first.focus()
    return wrong.length > 0
  }

  /** @param {FormData} data */
  shape(data) {
    const { when, keepsTime } = this
    const { scheduled, timed, proposed, gated } = this.dataset
    const asks = gated && !this.savesDraft && (scheduled === undefined || !keepsTime)
    if (asks) data.set('requestReview', 'true')
    const status = asks || this.savesDraft ? 'draft' : 'scheduled'
    data.delete('when')
    data.set('status', status)
    // A proposed time isn't the plan of a draft.
    if (when !== 'at' || keepsTime || (this.savesDraft && !this.moved && proposed === undefined)) {
      data.delete('scheduledAt.date')
      data.delete('scheduledAt.time')
    }
    if (status === 'scheduled' && when === 'now') data.set('scheduledAt', 'now')
    if (when === 'slot') data.set('scheduledAt', 'next-slot')
    if (when === 'none' && timed !== undefined) data.set('scheduledAt', '')
    if (this.picker?.images.length === 0) data.set('media', '')
    shapeYouTube(this, data)
    shapeComment(this, data)
    shapeLink(this, data)
    shapeOwnTexts(this, data)
    data.delete('account')
    this.accounts.forEach(({ value, disabled, dataset }, at) => {
      if (disabled) return
      data.set(`targets[${at}].provider`, dataset.provider ?? '')
      const [connectionId = '', groupId] = value.split('/')
      data.set(`targets[${at}].target.connectionId`, connectionId)
      if (groupId) data.set(`targets[${at}].target.groupId`, groupId)
    })
  }

  draw() {
    this.drawParts()
    this.drawNetworks()
    this.drawCounts()
    this.drawImages()
    this.drawPreview()
    this.drawWhen()
    drawYouTube(this)
    drawComment(this)
    this.drawLink()
    this.drawButtons()
  }

  drawParts() {
    const { parts } = this
    parts.forEach((part, at) => {
      const alone = parts.length === 1
      part.name = alone ? 'text' : `thread[${at}].text`
      part.ariaLabel = alone ? 'Text' : `Post ${at + 1} of ${parts.length}`
      const number = part.parentElement?.querySelector('.part-no')
      if (!(number instanceof HTMLElement)) return
      number.hidden = alone
      say(number.querySelector('.badge'), `${at + 1} of ${parts.length}`)
    })
  }

  /** Few people write for several networks at once: its code is loaded when they do. */
  drawNetworks() {
    if (this.networks) return this.networks.draw()
    const [tabs, panel] = [this.querySelector('[data-networks]'), this.querySelector('#texts')]
    const isSplit = new Set(this.accounts.map(({ dataset }) => dataset.provider)).size > 1
    if (!(tabs instanceof HTMLElement) || !(panel instanceof HTMLElement)) return
    if (!isSplit && Object.keys(this.own).length === 0) return
    // Without a connection the next change tries again.
    import('../lib/network-texts.js')
      .then(({ NetworkTexts }) => (this.networks ??= new NetworkTexts(this, tabs, panel)).draw())
      .catch(() => undefined)
  }

  drawCounts() {
    const chosen = this.accounts
    for (const count of this.querySelectorAll('#counts .count')) {
      if (!(count instanceof HTMLElement)) continue
      const { provider } = count.dataset
      const isOfNetwork = (/** @type {HTMLInputElement} */ { dataset }) => dataset.provider === provider
      count.hidden = chosen.length > 0 && !chosen.some(isOfNetwork)
      if (count.hidden) continue
      const accounts = chosen.length > 0 ? chosen : this.inputs('account')
      const { length, limit, label } = fullestPost(textsFor(this, provider), accounts.filter(isOfNetwork))
      count.dataset.state = length > limit ? 'over' : length > limit * 0.9 ? 'near' : ''
      count.querySelector('i')?.style.setProperty('--value', `${Math.min(100, (length / limit) * 100)}%`)
      const network = accounts.find(isOfNetwork)?.dataset.name ?? ''
      say(count.querySelector('[data-network]'), label ? `${network} (${label})` : network)
      say(count.querySelector('output'), `${length} / ${limit.toLocaleString('en')}${over(length - limit)}`)
    }
  }

  drawImages() {
    const { picker, accounts } = this
    const posts = this.parts.length
    /** @param {string | undefined} provider */
    const imagesFor = (provider) => countPerPost(picker?.kept ?? [], textsFor(this, provider).length)
    say(this.querySelector('#thread-limits'), describeThreadLimits(accounts, imagesFor).join(' '))
    if (!picker) return
    picker.draw(posts === 1 ? ['media'] : this.parts.map((_, at) => `thread[${at}].media`), networksOf(accounts))
    const counts = countPerPost(picker.kept, posts)
    const most = Math.max(...counts)
    const room = countImages(accounts, most)
    const roomLabel = picker.querySelector('[data-room]')
    const where = posts > 1 && most > 0 ? `in post ${counts.indexOf(most) + 1}` : ''
    say(roomLabel, [room.words, where].filter(Boolean).join(', '))
    if (roomLabel instanceof HTMLElement) roomLabel.dataset.state = room.over ? 'over' : ''
  }

  drawPreview() {
    const chosen = new Set(this.accounts.map(({ value }) => value))
    for (const shown of this.querySelectorAll('[data-account]'))
      if (shown instanceof HTMLElement) shown.hidden = !chosen.has(shown.dataset.account ?? '')
    const none = this.querySelector('[data-none]')
    if (none instanceof HTMLElement) none.hidden = chosen.size > 0
    this.drawNetworkPreview(chosen.size > 0)
  }

  /** Its code and styles are loaded once there is something to show. @param {boolean} hasAccount */
  drawNetworkPreview(hasAccount) {
    const place = this.querySelector('#preview')
    const isEmpty = this.picker?.images.length === 0 && this.texts.join('') === '' && Object.keys(this.own).length === 0
    if (!hasAccount || !(place instanceof HTMLElement) || (isEmpty && !this.preview)) return
    this.preview ??= import('../lib/preview/network-preview.js').then(({ openPreview }) => openPreview(this, place))
    this.preview.then((preview) => preview.draw()).catch(() => (this.preview = null))
  }

  drawLink() {
    if (this.link) return this.link.draw()
    const field = wantsLink(this)
    if (!field) return
    import('../lib/link-preview.js')
      .then(({ LinkPreviewField }) => {
        this.link ??= new LinkPreviewField(this, field)
        this.link.draw()
        this.drawPreview()
      })
      .catch(() => undefined)
  }

  drawWhen() {
    const { when } = this
    const fields = this.querySelector('[data-at-time]')
    if (fields instanceof HTMLElement) fields.hidden = when !== 'at'
    const { words, isWrong } = this.whenWords(when)
    say(this.querySelector('#when-words'), words)
    this.querySelector('#when-hint')?.toggleAttribute('data-wrong', isWrong)
  }

  /** @param {string} when */
  whenWords(when) {
    if (when === 'now') return { words: 'Publishes immediately.', isWrong: false }
    const { gated } = this.dataset
    if (when === 'none')
      return { words: gated ? 'Without a time.' : 'Saved as a draft, without a time.', isWrong: false }
    const hint = this.querySelector('#when-words')
    const { zone: own = 'UTC', slot = '', slotZone = 'UTC' } = hint instanceof HTMLElement ? hint.dataset : {}
    if (when === 'slot') {
      const words = instantInWords({ at: Date.parse(slot), zone: slotZone, own, now: this.now })
      return { words: `${words}, unless another post takes it first.`, isWrong: false }
    }
    const said = scheduleInWords({
      date: this.value('scheduledAt.date'),
      time: this.value('scheduledAt.time'),
      zone: this.value('timeZone'),
      own,
      now: this.now,
    })
    return gated && !said.isWrong ? { ...said, words: `${said.words}, once it is approved.` } : said
  }

  drawButtons() {
    const { when } = this
    const draft = this.querySelector('[data-draft]')
    if (draft instanceof HTMLElement) draft.hidden = this.onlyDraft
    const posts = this.accounts.length
    const { scheduled, gated } = this.dataset
    const verb = scheduled === undefined ? 'Schedule' : 'Save'
    const action = this.onlyDraft ? 'Save draft' : gated || (when === 'now' ? 'Publish' : verb)
    say(
      this.querySelector('[data-submit] span'),
      posts > 1 && !this.onlyDraft && !gated ? `${action} ${posts} posts` : label(action),
    )
  }
}

/** @param {Element} problem */
const removeIfEmpty = (problem) => problem.querySelector('[data-field]') ?? problem.remove()

/** @param {string} act */
const label = (act) => (act === 'Publish' ? 'Publish now' : act)

/** @param {number} characters */
const over = (characters) => (characters > 0 ? `, ${characters} over` : '')

/**
 * @param {Element | null | undefined} element
 * @param {string} words
 */
function say(element, words) {
  if (element && element.textContent !== words) element.textContent = words
}

customElements.define('post-composer', PostComposer)
