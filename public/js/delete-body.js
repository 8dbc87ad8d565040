/**
 * htmx puts what a form that deletes holds into the address, where logs and histories keep it. It goes into the body
 * here: it can be a password.
 */

/** @typedef {{ request: { method: string, body: FormData | URLSearchParams | null } }} RequestContext */

/** @type {WeakMap<RequestContext, URLSearchParams>} */
const bodies = new WeakMap()

/** @param {Event} event @returns {RequestContext | null} */
const contextOf = (event) => (event instanceof CustomEvent ? event.detail.ctx : null)

document.addEventListener('htmx:config:request', (event) => {
  const context = contextOf(event)
  const fields = context?.request.body
  if (!context || context.request.method !== 'DELETE' || !fields) return
  const body = new URLSearchParams()
  for (const [name, value] of fields) if (typeof value === 'string') body.append(name, value)
  for (const name of new Set(body.keys())) fields.delete(name)
  bodies.set(context, body)
})

document.addEventListener('htmx:before:request', (event) => {
  const context = contextOf(event)
  const body = context && bodies.get(context)
  if (body && body.size > 0) context.request.body = body
})
