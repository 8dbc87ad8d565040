export const servicePlace = 'registered-service'

export const inPlace = { 'hx-target': `#${servicePlace}`, 'hx-swap': 'outerMorph' } as const
