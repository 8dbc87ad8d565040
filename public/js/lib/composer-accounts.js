/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/** Connecting accounts from a composer, whose input is stored before a network's own page opens. */
export class ComposerAccounts {
  /** @type {WeakSet<Element>} */
  stored = new WeakSet()
  /** Before a swap. @type {string[]} */
  shown = []
  /** Before a swap. @type {string[]} */
  checked = []

  /** @param {PostComposer} composer */
  constructor(composer) {
    this.composer = composer
    // Capture phase, so that it runs before htmx.
    document.addEventListener('submit', (event) => this.submitting(event), true)
    document.addEventListener('formdata', (event) => this.shape(event), true)
    document.addEventListener('htmx:before:swap', (event) => this.swapping(event))
    document.addEventListener('htmx:after:swap', (event) => this.swapped(event))
    document.addEventListener('visibilitychange', () => void this.findNew())
    this.chooseConnected()
  }

  get values() {
    return this.composer.inputs('account').map(({ value }) => value)
  }

  /** @param {SubmitEvent} event */
  submitting(event) {
    const { target: form, submitter } = event
    if (!isConnectForm(form) || this.stored.delete(form)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // Without a connection to the server the form reports that, and the browser keeps the text.
    // Browsers ignore a submission during the event of another one.
    setTimeout(() => void this.send(form, submitter))
  }

  /** Once the input is stored. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
  async send(form, submitter) {
    const { autosave } = this.composer.input ?? {}
    // What changed during a request is stored by the next one.
    await autosave?.sending
    await autosave?.flush()
    this.stored.add(form)
    form.requestSubmit(submitter)
  }

  /** @param {FormDataEvent} event */
  shape({ target, formData }) {
    const id = this.composer.input?.autosave.id
    if (isConnectForm(target) && id) formData.set('unsavedId', id)
  }

  /** Shows accounts that were connected in another tab. */
  async findNew() {
    const { post, brand = '' } = this.composer.dataset
    if (document.hidden || post !== undefined) return
    const address = `/api/posts/targets?${new URLSearchParams({ brandId: brand })}`
    const response = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
    const { items } = response?.ok ? await response.json() : { items: [] }
    const shown = this.values
    /** @param {{ target: { connectionId: string, groupId?: string } }} target */
    const isNew = ({ target: { connectionId, groupId } }) =>
      !shown.includes(groupId ? `${connectionId}/${groupId}` : connectionId)
    if (items.some(isNew)) this.composer.querySelector('#targets')?.dispatchEvent(new Event('accounts'))
  }

  /** Before the accounts are replaced. @param {Event} event */
  swapping(event) {
    if (!isOfTargets(event)) return
    this.shown = this.values
    this.checked = this.composer.accounts.map(({ value }) => value)
  }

  /** The choice stays, and an account that was connected here is added to it. @param {Event} event */
  swapped(event) {
    if (!isOfTargets(event)) return
    const { composer, checked, shown } = this
    for (const account of composer.inputs('account')) account.checked = checked.includes(account.value)
    if (isConnectForm(event.detail.ctx.sourceElement)) this.choose(this.values.filter((id) => !shown.includes(id)))
    else composer.draw()
  }

  /** @param {string[]} ids */
  choose(ids) {
    const { composer } = this
    const accounts = composer.inputs('account').filter(({ value, disabled }) => ids.includes(value) && !disabled)
    for (const account of accounts) account.checked = true
    composer.draw()
    composer.input?.changed()
    accounts[0]?.focus()
  }

  /** The account that was connected on its network's page. A reload doesn't choose it again. */
  chooseConnected() {
    const { connected } = this.composer.dataset
    const address = new URL(location.href)
    for (const name of ['account', 'unconnected', 'network']) address.searchParams.delete(name)
    if (address.href !== location.href) history.replaceState(history.state, '', address)
    if (connected) this.choose([connected])
  }
}

/** @param {unknown} form @returns {form is HTMLFormElement} */
const isConnectForm = (form) => form instanceof HTMLFormElement && form.closest('#connect-dialogs') !== null

/** Whether a response replaces the accounts. @param {Event} event @returns {event is CustomEvent} */
const isOfTargets = (event) =>
  event instanceof CustomEvent &&
  (event.detail.ctx.sourceElement?.id === 'targets' || isConnectForm(event.detail.ctx.sourceElement))
