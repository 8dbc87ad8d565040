import { graphError } from '../graph/errors.ts'
import type { Token } from '../wire/grants.ts'

export interface Person {
  id: string
  name: string
}
export interface Page {
  id: string
  name: string
}
export interface Group {
  id: string
  name: string
}

/** People, their Pages and Groups. */
export class Directory {
  readonly people = new Map<string, Person>()
  readonly pages = new Map<string, Page>()
  readonly groups = new Map<string, Group>()
  readonly #roles = new Set<string>()
  readonly #nextId: () => string

  constructor(nextId: () => string) {
    this.#nextId = nextId
  }

  person(name: string): Person {
    const person = { id: this.#nextId().slice(-15), name }
    this.people.set(person.id, person)
    return person
  }

  page(name: string, ...admins: Person[]): Page {
    const page = { id: `1${this.#nextId().slice(-14)}`, name }
    this.pages.set(page.id, page)
    for (const admin of admins) this.#roles.add(`${admin.id} ${page.id}`)
    return page
  }

  group(name: string, ...admins: Person[]): Group {
    const group = { id: `2${this.#nextId().slice(-14)}`, name }
    this.groups.set(group.id, group)
    for (const admin of admins) this.#roles.add(`${admin.id} ${group.id}`)
    return group
  }

  /** Takes the person's role on the Page away. */
  dismiss(person: Person, page: Page | Group): void {
    this.#roles.delete(`${person.id} ${page.id}`)
  }

  hasRole(person: string, owner: string): boolean {
    return this.#roles.has(`${person} ${owner}`)
  }

  /** The Pages that the token's user manages and chose in the consent. */
  pagesOf({ user, choices }: Token): Page[] {
    return [...this.pages.values()].filter(({ id }) => this.hasRole(user, id) && choices.includes(id))
  }

  /** The Groups that the token's user administers. */
  groupsOf({ user }: Token): Group[] {
    return [...this.groups.values()].filter(({ id }) => this.hasRole(user, id))
  }

  /** The Page of a Page token. @throws for other tokens and when the user's role is gone. */
  pageOf(token: Token, id: string): Page {
    const page = this.pages.get(id)
    if (!page || token.kind !== 'page' || token.choices[0] !== id)
      throw graphError({
        status: 403,
        code: 200,
        message: '(#200) Posting requires both pages_read_engagement and pages_manage_posts permission with page token',
      })
    if (!this.hasRole(token.user, id))
      throw graphError({
        status: 401,
        code: 190,
        subcode: 492,
        message:
          'Error validating access token: The user must be an administrator, editor, or moderator of the page in order to impersonate it.',
      })
    return page
  }
}
