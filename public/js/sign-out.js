import { copiesOf, noteSignOut, storeCopies } from './lib/unsaved-copies.js'

/** How long a sign-out waits until unsaved input is stored. */
const timeoutMs = 3_000

const logsOut = '[hx-post="/api/auth/logout"]'
const signsOut = `form:is(${logsOut}, [hx-delete="/api/auth/me"])`

/** @param {Event} event */
const formOf = ({ target }) => (target instanceof HTMLFormElement && target.matches(signsOut) ? target : null)

let isStored = false

/** @param {HTMLFormElement} form */
const canLose = (form) =>
  !form.matches(logsOut) ||
  copiesOf(form.dataset.person).length === 0 ||
  confirm('Some of your text couldn’t be saved. If you sign out now, it is deleted.')

/** What only this browser has is stored before a sign-out, which then removes it here: another person can use the browser. */
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
      if (!canLose(form)) return
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
