import { Autosave, savedAt } from './autosave.js'
import { fillFields, isTouched, readFields } from './composer-fields.js'
import { copiesOf, storeCopies } from './unsaved-copies.js'

/**
 * @typedef {import('../elements/post-composer.js').PostComposer} PostComposer
 * @typedef {import('./unsaved-copies.js').Content} Content
 * @typedef {{ version: number, baseVersion: number | null, updatedAt: string, content: Content }} Stored
 */

/** What was typed into a composer, from its restoring to its discarding. */
export class StoredInput {
  /** @param {PostComposer} composer */
  constructor(composer) {
    this.composer = composer
    const { person: personId = '', brand: brandId = '', post: postId = null, unsavedId: id = '' } = composer.dataset
    const isEarly = isTouched(composer)
    // What was typed before this ran is stored alongside what was stored before.
    /** @type {Stored | null} */
    const stored = isEarly ? null : JSON.parse(composer.dataset.unsaved ?? 'null')
    const current = postId === null ? null : Number(composer.value('version'))
    const autosave = new Autosave({
      id: isEarly && composer.dataset.unsaved ? crypto.randomUUID() : id,
      personId,
      brandId,
      postId,
      baseVersion: stored?.baseVersion ?? current,
      version: stored?.version ?? 0,
      read: () => readFields(composer),
      isBusy: () => composer.isUploading,
      moved: () => this.moved(),
      show: (words, state) => this.show(words, state),
    })
    this.autosave = autosave
    this.nameField()
    this.restore(stored)
    if (current !== null && autosave.baseVersion !== current)
      void import('./composer-conflict.js').then(({ showConflict }) => showConflict(composer))
    void this.storeOthers()
    document.addEventListener('undone', () => this.reload())
  }

  /** From the browser's copy, if the server didn't get it. @param {Stored | null} stored */
  restore(stored) {
    const { autosave, composer } = this
    if (stored) fillFields(composer, stored.content)
    autosave.stored = isTouched(composer) && !stored ? '' : autosave.text
    const { kept } = autosave
    if (kept) {
      autosave.baseVersion = kept.body.baseVersion
      fillFields(composer, kept.body.content)
    }
    // A copy of another post has no version yet.
    if (stored && stored.version > 0) autosave.savedWords = savedAt(stored.updatedAt)
    autosave.changed()
  }

  /** @param {string} words @param {'saved' | 'failed'} [state] */
  show(words, state) {
    const shown = document.querySelector('#saved-state')
    if (!(shown instanceof HTMLElement)) return
    if (shown.textContent !== words) shown.textContent = words
    shown.toggleAttribute('data-wrong', state === 'failed')
    if (state === 'saved' && words !== '') this.composer.querySelector('[data-discard]')?.removeAttribute('hidden')
  }

  changed() {
    this.autosave.changed()
    this.nameAddress()
  }

  /** Another tab has the earlier id. */
  moved() {
    this.nameField()
    this.nameAddress()
    const message = 'This is also open in another tab. Both texts are kept.'
    document.dispatchEvent(new CustomEvent('toast', { detail: { message } }))
  }

  nameField() {
    const [field] = this.composer.inputs('unsavedId')
    if (field) field.value = this.autosave.id
  }

  /** The address names the input, so that a reload shows it. */
  nameAddress() {
    const address = new URL(location.href)
    if (!this.autosave.isDirty) return
    if (address.searchParams.get('unsaved') === this.autosave.id) return
    address.searchParams.set('unsaved', this.autosave.id)
    history.replaceState(history.state, '', address)
  }

  /** Without a question: the input is stored, or not wanted. */
  reload() {
    this.autosave.isDone = true
    location.reload()
  }

  /** Once everything is stored. */
  async refresh() {
    await this.autosave.flush()
    if (!this.autosave.isDirty) this.reload()
  }

  /** A post without an account remains unsaved, and is listed with the drafts. */
  async keepDraft() {
    const { autosave, composer } = this
    await autosave.flush()
    if (autosave.isDirty) return
    autosave.isDone = true
    const message = 'Draft kept. Choose an account to save or schedule it.'
    document.dispatchEvent(new CustomEvent('toast', { detail: { message } }))
    location.assign(
      `/workspace/posts?${new URLSearchParams({ brandId: composer.dataset.brand ?? '', status: 'draft' })}`,
    )
  }

  /** Sends what the browser kept of forms that were closed; the page of a new post lists them. */
  async storeOthers() {
    const { composer, autosave } = this
    const others = copiesOf(autosave.personId).filter(({ id }) => id !== autosave.id)
    const isStored = others.length > 0 && (await storeCopies(others))
    if (isStored && composer.dataset.post === undefined) await this.refresh()
  }

  /** Saving then replaces this version of the post. @param {number} version */
  rebase(version) {
    const [field] = this.composer.inputs('version')
    if (field) field.value = String(version)
    this.autosave.baseVersion = version
    this.autosave.stored = ''
    this.autosave.changed()
  }

  /** Its toast can undo it. */
  async discard() {
    const { autosave } = this
    const { id, body } = autosave.copy
    autosave.pause()
    await autosave.sending
    const href = `/api/unsaved-posts/${id}`
    const response = await fetch(href, { method: 'DELETE', headers: { accept: 'application/json' } }).catch(() => null)
    if (!response?.ok && response?.status !== 404) return autosave.resume()
    autosave.end()
    const undo = { method: 'PUT', href, body: { ...body, version: 0 } }
    document.dispatchEvent(new CustomEvent('toast', { detail: { message: 'Changes discarded', undo } }))
    location.reload()
  }
}
