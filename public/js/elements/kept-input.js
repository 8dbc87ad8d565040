import { signedInPerson, textPrefix } from '../lib/unsaved-copies.js'

/** Fields that are typed into. A one-time code is of no use later. */
const fields = ':is(input, textarea)[id][name]:not([autocomplete="one-time-code"])'

/**
 * In a form whose text must not get lost: this tab keeps it for the person, or for the page without an account, until it is
 * sent. A form that is sent again because its response was lost has its effect once.
 */
class KeptInput extends HTMLElement {
  connected = new AbortController()
  /** The last request that may not have been answered. */
  sent = { body: '', key: '' }

  connectedCallback() {
    const form = this.closest('form')
    if (!form) return
    const owner = signedInPerson() ?? location.pathname
    const { signal } = (this.connected = new AbortController())
    for (const field of form.querySelectorAll(fields)) if (isField(field)) restore(owner, field)
    const forget = () => {
      this.sent = { body: '', key: '' }
      for (const { id } of form.querySelectorAll(fields)) keepText(owner, id, '')
    }
    form.addEventListener(
      'input',
      ({ target }) => {
        if (target instanceof Element && target.matches(fields) && isField(target))
          keepText(owner, target.id, target.value)
      },
      { signal },
    )
    form.addEventListener('reset', forget, { signal })
    form.addEventListener(
      'htmx:after:request',
      (event) => {
        if (!(event instanceof CustomEvent) || event.target !== form) return
        const { hx, response } = event.detail.ctx
        if (response?.status < 400 && !hx?.redirect?.startsWith('/login')) forget()
      },
      { signal },
    )
    form.addEventListener(
      'htmx:config:request',
      (event) => {
        if (!(event instanceof CustomEvent) || event.target !== form) return
        const { request } = event.detail.ctx
        request.headers['Idempotency-Key'] = this.keyOf(request.body)
      },
      { signal },
    )
  }

  /** The same for the same body. @param {FormData} data */
  keyOf(data) {
    const body = JSON.stringify([...data])
    if (body !== this.sent.body) this.sent = { body, key: crypto.randomUUID() }
    return this.sent.key
  }

  disconnectedCallback() {
    this.connected.abort()
  }
}

/** @param {string} owner the id of a person, or the path of a page without an account @param {string} fieldId */
const textKeyOf = (owner, fieldId) => `${textPrefix}${owner}:${fieldId}`

/** This tab keeps the text of a field, such as a comment, until it is sent. @param {string} owner @param {string} fieldId @param {string} text */
function keepText(owner, fieldId, text) {
  try {
    if (text === '') sessionStorage.removeItem(textKeyOf(owner, fieldId))
    else sessionStorage.setItem(textKeyOf(owner, fieldId), text)
  } catch {
    // Full or blocked storage: the field itself still has it.
  }
}

/** @param {string} owner @param {string} fieldId */
function keptText(owner, fieldId) {
  try {
    return sessionStorage.getItem(textKeyOf(owner, fieldId)) ?? ''
  } catch {
    return ''
  }
}

/** @param {Element} element @returns {element is HTMLInputElement | HTMLTextAreaElement} */
const isField = (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** What was typed before this ran follows what was kept. @param {string} owner @param {HTMLInputElement | HTMLTextAreaElement} field */
function restore(owner, field) {
  const kept = keptText(owner, field.id)
  if (kept !== '' && !field.value.startsWith(kept)) field.value = `${kept} ${field.value}`.trim()
}

customElements.define('kept-input', KeptInput)
