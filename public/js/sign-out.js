import {
  copiesOf,
  forgetTextsOfOthers,
  hasTexts,
  noteSignOut,
  signedInPerson,
  storeCopies,
} from './lib/unsaved-copies.js'

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
  (copiesOf(form.dataset.person).length === 0 && !hasTexts(form.dataset.person)) ||
  confirm('Some of your text isn’t saved. If you sign out now, it is deleted.')

/** What only this browser has is stored before a sign-out, which then removes it here: another person can use the browser. */
document.addEventListener(
  'submit',
  (event) => {
    const form = formOf(event)
    const copies = isStored || !form ? [] : copiesOf(form.dataset.person)
    if (!form || isStored || (copies.length === 0 && canLose(form))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (copies.length === 0) return
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

const personId = signedInPerson()
if (personId) forgetTextsOfOthers(personId)
