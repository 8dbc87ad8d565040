ALTER TABLE "identity"."developer_apps" ADD COLUMN "handoff_uri" text;--> statement-breakpoint
ALTER TABLE "identity"."service_redirect_uris" ADD COLUMN "handoff" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "service_redirect_uris_handoff" ON "identity"."service_redirect_uris" USING btree ("service_id") WHERE "identity"."service_redirect_uris"."handoff";--> statement-breakpoint
ALTER TABLE "identity"."developer_apps" ADD CONSTRAINT "developer_apps_handoff_uri" CHECK ("identity"."developer_apps"."handoff_uri" = ANY ("identity"."developer_apps"."redirect_uris"));--> statement-breakpoint
-- What hand-offs have gone to until now: the first address by the alphabet.
UPDATE identity.service_redirect_uris AS own SET handoff = true
FROM (
  SELECT DISTINCT ON (service_id) service_id, uri FROM identity.service_redirect_uris ORDER BY service_id, uri
) AS first, identity.services
WHERE own.service_id = first.service_id AND own.uri = first.uri
  AND services.id = own.service_id AND NOT services.first_party;--> statement-breakpoint
UPDATE identity.developer_apps
SET handoff_uri = (SELECT uri FROM unnest(redirect_uris) AS uri ORDER BY uri LIMIT 1)
WHERE cardinality(redirect_uris) > 0;
