/** The slug of the super admins' organization (IDN-16). */
export const adminOrganization = 'admin'
