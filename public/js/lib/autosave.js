import { copiesOf, forgetCopy, isSame, keepCopy, onSignOut, readStored, sendCopy } from './unsaved-copies.js'

/** @typedef {import('./unsaved-copies.js').Content} Content */

/** Milliseconds from the first change until it is sent. */
const delayMs = 1_000
/** Milliseconds before a failed request is repeated. */
const retryMs = 5_000
/** Each change is kept, at about the pace of typing, until the server has it. */
const maxKept = 100
/** Bytes that a browser sends of a page that is closing. */
const maxKeepalive = 60_000

/**
 * Stores the input of a form as it is typed: on the server and, until the server has it, in this browser.
 */
export class Autosave {
  /** Milliseconds. @type {ReturnType<typeof setTimeout> | undefined} */
  timer
  /** @type {Promise<void> | null} */
  sending = null
  /** Saved, discarded or submitted: nothing is stored anymore. */
  isDone = false
  isPaused = false
  /** In this browser: it keeps nothing then. */
  isSignedOut = false
  hasFailed = false
  savedWords = ''
  /** What another page of this browser can have stored for this one. @type {Content[]} */
  keptContents = []

  /**
   * @param {{
   *   id: string, personId: string, brandId: string, postId: string | null, baseVersion: number | null, version: number,
   *   read: () => Content, isBusy: () => boolean, moved: (id: string) => void,
   *   show: (words: string, state?: 'saved' | 'failed') => void
   * }} options
   */
  constructor({ id, personId, brandId, postId, baseVersion, version, read, isBusy, moved, show }) {
    this.id = id
    this.personId = personId
    this.brandId = brandId
    this.postId = postId
    this.baseVersion = baseVersion
    this.version = version
    this.read = read
    this.moved = moved
    this.show = show
    /** What the server has, or the form began with. */
    this.stored = this.text
    addEventListener('online', () => void this.flush())
    document.addEventListener('visibilitychange', () => document.hidden && void this.flush())
    addEventListener('beforeunload', (event) => !this.isDone && (this.isDirty || isBusy()) && event.preventDefault())
    onSignOut(() => (this.isSignedOut = true))
  }

  get text() {
    return JSON.stringify(this.read())
  }

  get isDirty() {
    return !this.isDone && this.text !== this.stored
  }

  get copy() {
    const { id, personId, brandId, postId, baseVersion, version } = this
    return { id, body: { personId, brandId, postId, baseVersion, version, content: this.read() } }
  }

  /** A copy of this form that the server didn't get. */
  get kept() {
    return copiesOf(this.personId).find(({ id }) => id === this.id)
  }

  changed() {
    if (this.isDone) return
    if (!this.isDirty) return this.settle()
    if (!this.isSignedOut) {
      keepCopy(this.copy)
      this.keptContents = [...this.keptContents, this.read()].slice(-maxKept)
    }
    this.tell()
    this.timer ??= setTimeout(() => void this.flush(), delayMs)
  }

  /** The input is what the server has again. */
  settle() {
    forgetCopy(this.personId, this.id)
    if (!this.sending) this.show(this.savedWords, 'saved')
  }

  /** Sends what changed, and waits for a request that is under way. */
  async flush() {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.sending || this.isPaused || !this.isDirty) return this.sending ?? undefined
    this.sending = this.send()
    await this.sending
    this.sending = null
    if (this.isDirty) this.timer ??= setTimeout(() => void this.flush(), delayMs)
  }

  async send() {
    this.tell()
    const { copy } = this
    const text = JSON.stringify(copy.body.content)
    const keepalive = document.hidden && text.length < maxKeepalive
    const response = await sendCopy(copy, { keepalive }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (response?.ok) this.accept(text, answer)
    else if (answer?.code === 'version_conflict') await this.resolve(text, answer.current.version)
    else if (response?.status === 404 && this.postId !== null) this.detach()
    else this.fail(response?.status ?? 0, answer?.detail)
  }

  /** "Saved" is only shown while everything is. A failure is shown until a request succeeds. */
  tell() {
    if (!this.hasFailed) this.show('Saving…')
  }

  /** @param {string} text @param {{ version: number, updatedAt: string }} answer */
  accept(text, { version, updatedAt }) {
    this.version = version
    this.stored = text
    this.isSignedOut = false
    this.hasFailed = false
    this.keptContents = []
    // Also while there are changes: they can be taken back before they are sent.
    this.savedWords = savedAt(updatedAt)
    if (this.isDirty) return this.tell()
    forgetCopy(this.personId, this.id)
    this.show(this.savedWords, 'saved')
  }

  /**
   * The server has a newer version. It is this input's own when a response was lost, or another page sent what this one
   * kept. Otherwise another tab edits it too, and this input gets an id of its own, so that both texts remain.
   * @param {string} text @param {number} version
   */
  async resolve(text, version) {
    const stored = await readStored(this.id).catch(() => undefined)
    if (stored && isSame(stored.content, JSON.parse(text))) return this.accept(text, stored)
    this.timer ??= setTimeout(() => void this.flush(), delayMs)
    if (stored === undefined) return
    this.version = version
    if (!stored || this.keptContents.some((content) => isSame(content, stored.content))) return
    this.id = crypto.randomUUID()
    this.version = 0
    this.moved(this.id)
    keepCopy(this.copy)
  }

  /** The post was deleted: its text is kept as that of a new one. */
  detach() {
    this.postId = null
    this.baseVersion = null
    this.timer ??= setTimeout(() => void this.flush(), delayMs)
  }

  /** @param {number} status @param {string} [detail] */
  fail(status, detail) {
    this.hasFailed = true
    if (status === 401) {
      this.isSignedOut = true
      forgetCopy(this.personId, this.id)
      return this.show('Not saved: you were signed out. Sign in in another tab, then continue here.', 'failed')
    }
    const isTemporary = status === 0 || status === 429 || status >= 500
    if (!isTemporary) return this.show(`Not saved. ${detail ?? ''}`, 'failed')
    this.show('Not saved yet: Atrium can’t be reached. This browser keeps your text.', 'failed')
    this.timer ??= setTimeout(() => void this.flush(), retryMs)
  }

  /** While the form is being submitted. */
  pause() {
    this.isPaused = true
    clearTimeout(this.timer)
    this.timer = undefined
  }

  resume() {
    this.isPaused = false
    this.changed()
  }

  /** The input was saved or discarded. */
  end() {
    this.isDone = true
    this.pause()
    forgetCopy(this.personId, this.id)
  }
}

/** `Saved 10:12`, with the day when it isn't today. @param {string} updatedAt */
export function savedAt(updatedAt) {
  const at = new Date(updatedAt)
  const day =
    at.toDateString() === new Date().toDateString() ? '' : `${format(at, { day: 'numeric', month: 'short' })}, `
  return `Saved ${day}${format(at, { hour: '2-digit', minute: '2-digit' })}`
}

/** @param {Date} at @param {Intl.DateTimeFormatOptions} options */
const format = (at, options) => new Intl.DateTimeFormat('en-GB', options).format(at)
