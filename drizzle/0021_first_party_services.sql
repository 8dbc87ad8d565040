-- The registry's first entries whole (IDN-20). What stands here so far is the platform's own.
UPDATE identity.services SET first_party = true, default_access = true;
--> statement-breakpoint
UPDATE identity.services SET surface_group = entry.surface_group, surface_kind = entry.surface_kind,
  icon = entry.icon, paid = entry.paid, supported_contexts = entry.contexts, household_capable = entry.household
FROM (VALUES
  ('platform-identity', 'Account', 'app', 'key-round', false, ARRAY['personal', 'organization'], true),
  ('platform-gateway', 'Platform', 'api', NULL, false, ARRAY['organization'], false),
  ('platform-socialize', 'Work', 'app', 'megaphone', true, ARRAY['organization'], false),
  ('platform-dashboard-api', 'Work', 'app', 'layout-grid', false, ARRAY['personal', 'organization'], true),
  ('platform-pay', 'Work', 'app', NULL, true, ARRAY['organization'], false)
) AS entry (slug, surface_group, surface_kind, icon, paid, contexts, household)
WHERE services.slug = entry.slug;
--> statement-breakpoint
-- Opened from the app switcher once its pages stand.
INSERT INTO identity.services
  (slug, name, description, surface_kind, surface_group, icon, web_url, supported_contexts, first_party, default_access)
VALUES
  ('platform-developer-console', 'Developers', 'Apps, their actions and their keys', 'app', 'Platform', NULL, '/developers', ARRAY['organization'], true, true),
  ('platform-dashboard-website', 'Website', 'Checkout, waitlist and contact', 'internal', 'Platform', NULL, NULL, ARRAY['organization'], true, false)
ON CONFLICT (slug) DO NOTHING;
--> statement-breakpoint
-- Who is here had every service until now.
INSERT INTO identity.service_access (organization_id, service_id, granted_at)
SELECT organizations.id, services.id, now() FROM identity.organizations CROSS JOIN identity.services
WHERE services.first_party AND services.surface_kind <> 'internal';
--> statement-breakpoint
-- Whoever makes an organization, a release before this one too: it has what every organization has.
CREATE FUNCTION identity.grant_default_services() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO identity.service_access (organization_id, service_id, granted_at)
  SELECT NEW.id, id, NEW.created_at FROM identity.services WHERE default_access
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER organizations_default_access AFTER INSERT ON identity.organizations
  FOR EACH ROW EXECUTE FUNCTION identity.grant_default_services();
