import { allCopies, noteSignOut, storeCopies } from './lib/unsaved-copies.js'

/** Milliseconds that a sign-out waits until unsaved input is stored. */
const patience = 3_000

/** @param {Event} event */
const isSignOut = ({ target }) => target instanceof Element && target.matches('form[hx-post="/api/auth/logout"]')

let isStored = false

/** What only this browser has is stored before a sign-out, which then removes it here. */
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target
    if (isStored || !isSignOut(event) || !(form instanceof HTMLFormElement) || allCopies().length === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const timeout = new Promise((resolve) => setTimeout(resolve, patience))
    void Promise.race([storeCopies(allCopies()), timeout]).then(() => {
      isStored = true
      form.requestSubmit()
    })
  },
  { capture: true },
)

document.addEventListener('htmx:after:request', (event) => {
  if (!(event instanceof CustomEvent) || !isSignOut(event) || !(event.detail.ctx.response?.status < 400)) return
  noteSignOut()
})
