export interface Member {
  id: string
  urn: string
  name: string
}
export interface Organization {
  id: string
  urn: string
  name: string
  vanityName: string
}
export type Role = 'ADMINISTRATOR' | 'CONTENT_ADMIN' | 'ANALYST'

/** Members, organizations and the roles of one in the other. */
export class Directory {
  readonly members = new Map<string, Member>()
  readonly organizations = new Map<string, Organization>()
  readonly #roles: { member: string; organization: string; role: Role }[] = []
  readonly #nextId: () => string

  constructor(nextId: () => string) {
    this.#nextId = nextId
  }

  member(name: string): Member {
    const id = `M${this.#nextId().slice(-9)}`
    const member = { id, urn: `urn:li:person:${id}`, name }
    this.members.set(id, member)
    return member
  }

  organization(name: string, ...admins: Member[]): Organization {
    const id = this.#nextId().slice(-9)
    const vanityName = name.toLowerCase().replaceAll(/\W+/g, '-')
    const organization = { id, urn: `urn:li:organization:${id}`, name, vanityName }
    this.organizations.set(id, organization)
    for (const admin of admins) this.assign(admin, organization, 'ADMINISTRATOR')
    return organization
  }

  assign(member: Member, organization: Organization, role: Role): void {
    this.#roles.push({ member: member.id, organization: organization.id, role })
  }

  dismiss(member: Member, organization: Organization): void {
    const kept = this.#roles.filter((each) => each.member !== member.id || each.organization !== organization.id)
    this.#roles.splice(0, this.#roles.length, ...kept)
  }

  rolesOf(member: string) {
    return this.#roles.filter((each) => each.member === member)
  }

  canPostFor(member: string, organization: string): boolean {
    return this.rolesOf(member).some((each) => each.organization === organization && each.role !== 'ANALYST')
  }
}

export const shownOrganization = ({ id, name, vanityName }: Organization) => ({
  id: Number(id),
  localizedName: name,
  vanityName,
  primaryOrganizationType: 'NONE',
})
