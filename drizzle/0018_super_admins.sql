-- The organization of the super admins (PLT-38). It stands from the beginning, so nobody else can take its slug; whoever
-- had it until now keeps everything but that.
UPDATE identity.organizations SET slug = 'admin-' || right(id::text, 12) WHERE slug = 'admin';
--> statement-breakpoint
INSERT INTO identity.organizations (id, slug, name, created_at)
VALUES (gen_random_uuid(), 'admin', 'Platform administration', now());
--> statement-breakpoint
-- It is known by its slug, which therefore stays.
CREATE FUNCTION identity.keep_admin_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The slug admin is the super admins'''
    USING ERRCODE = 'check_violation', CONSTRAINT = 'organizations_admin_slug';
END
$$;
--> statement-breakpoint
CREATE TRIGGER organizations_admin_slug BEFORE UPDATE OF slug ON identity.organizations
  FOR EACH ROW WHEN (OLD.slug <> NEW.slug AND 'admin' IN (OLD.slug, NEW.slug))
  EXECUTE FUNCTION identity.keep_admin_slug();
--> statement-breakpoint
-- Super admins exist in that organization alone (IDN-16). A new membership waits for whoever changes the same person, so
-- that of two changes at once the second sees the first.
CREATE FUNCTION identity.keep_super_admin_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM identity.users WHERE id = NEW.user_id FOR SHARE;
  IF EXISTS (SELECT FROM identity.users WHERE id = NEW.user_id AND principal_type = 'platform_super_admin')
    AND NOT EXISTS (SELECT FROM identity.organizations WHERE id = NEW.organization_id AND slug = 'admin') THEN
    RAISE EXCEPTION 'A super admin belongs to the admin organization alone'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_super_admin';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER memberships_super_admin AFTER INSERT OR UPDATE OF user_id, organization_id ON identity.memberships
  FOR EACH ROW EXECUTE FUNCTION identity.keep_super_admin_apart();
--> statement-breakpoint
-- Looked at when the transaction ends: person and membership come one after the other.
CREATE FUNCTION identity.keep_super_admin_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM identity.users WHERE id = NEW.id AND principal_type = 'platform_super_admin')
    AND ARRAY(
      SELECT o.slug FROM identity.memberships m JOIN identity.organizations o ON o.id = m.organization_id
      WHERE m.user_id = NEW.id
    ) <> ARRAY['admin'] THEN
    RAISE EXCEPTION 'A super admin belongs to the admin organization, and to no other'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_super_admin';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER users_super_admin AFTER INSERT OR UPDATE OF principal_type ON identity.users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.principal_type = 'platform_super_admin')
  EXECUTE FUNCTION identity.keep_super_admin_in();
--> statement-breakpoint
-- Who leaves that organization is a person like everybody else.
CREATE FUNCTION identity.end_super_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE identity.users SET principal_type = 'user' WHERE id = OLD.user_id AND principal_type = 'platform_super_admin';
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER memberships_end_super_admin AFTER DELETE ON identity.memberships
  FOR EACH ROW EXECUTE FUNCTION identity.end_super_admin();
