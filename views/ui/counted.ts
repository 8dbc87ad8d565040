/** A count with its noun, such as “1 post” or “2 posts”. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
