/** Shows the problem of a refused request in the element with this ID, next to what was clicked (IDN-24). */
export const showProblemIn = (id: string) => ({
  'hx-status:4xx': `target:#${id} swap:innerHTML`,
  'hx-status:5xx': `target:#${id} swap:innerHTML`,
})
