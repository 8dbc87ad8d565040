import { copiesOf, noteSignOut, storeCopies } from './lib/unsaved-copies.js'

/** How long a sign-out waits until unsaved input is stored. */
const timeoutMs = 3_000

const signsOut = 'form:is([hx-post="/api/auth/logout"], [hx-delete="/api/auth/me"])'

/** @param {Event} event */
const formOf = ({ target }) => (target instanceof HTMLFormElement && target.matches(signsOut) ? target : null)

let isStored = false

/** What only this browser has is stored before a sign-out, which then removes it here. */
document.addEventListener(
  'submit',
  (event) => {
    const form = formOf(event)
    const copies = isStored || !form ? [] : copiesOf(form.dataset.person)
    if (!form || copies.length === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const timeout = new Promise((resolve) => setTimeout(resolve, timeoutMs))
    void Promise.race([storeCopies(copies), timeout]).then(() => {
      isStored = true
      form.requestSubmit()
    })
  },
  { capture: true },
)

document.addEventListener('htmx:after:request', (event) => {
  const form = formOf(event)
  if (form && event instanceof CustomEvent && event.detail.ctx.response?.status < 400) noteSignOut(form.dataset.person)
})
