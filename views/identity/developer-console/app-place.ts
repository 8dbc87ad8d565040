/** A change replaces the app, with its name, state and tabs. */
export const inPlace = { 'hx-target': '#developer-app', 'hx-swap': 'outerMorph' } as const

export const appsCrumb = { href: '/developers', label: 'Apps' }
