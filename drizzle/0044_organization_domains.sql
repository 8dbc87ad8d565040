CREATE TABLE "identity"."organization_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"failure" text,
	"missing_since" timestamp (3) with time zone,
	CONSTRAINT "organization_domains_domain" UNIQUE("organization_id","domain"),
	CONSTRAINT "organization_domains_form" CHECK ("identity"."organization_domains"."domain" ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$' AND length("identity"."organization_domains"."domain") <= 253),
	CONSTRAINT "organization_domains_failure" CHECK ("identity"."organization_domains"."failure" IN ('record_missing', 'record_wrong', 'dns_unavailable')),
	CONSTRAINT "organization_domains_missing" CHECK ("identity"."organization_domains"."missing_since" IS NULL OR "identity"."organization_domains"."verified_at" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "identity"."organization_sign_ins" ALTER COLUMN "domains" SET DEFAULT ARRAY['unverified.invalid'];--> statement-breakpoint
ALTER TABLE "identity"."upstream_identities" ADD COLUMN "domain" text;--> statement-breakpoint
ALTER TABLE "identity"."organization_domains" ADD CONSTRAINT "organization_domains_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "organization_domains_verified" ON "identity"."organization_domains" USING btree ("domain") WHERE "identity"."organization_domains"."verified_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "upstream_identities_domain" ON "identity"."upstream_identities" USING btree ("provider","domain");--> statement-breakpoint
-- Nobody has proven the domains that were only named: they wait for their DNS records.
INSERT INTO identity.organization_domains (id, organization_id, domain, token, created_at)
SELECT gen_random_uuid(), organization_id, named.domain,
  replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), created_at
FROM identity.organization_sign_ins, unnest(domains) AS given, lower(given) AS named(domain)
WHERE named.domain ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$' AND length(named.domain) <= 253
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Servers of the previous release may still run: this lets them make no more accounts.
UPDATE identity.organization_sign_ins SET domains = DEFAULT;--> statement-breakpoint
-- An account that begins with its identity was made by the organization's provider: it needs the domain's proof from now
-- on. People who connected theirs later have done so themselves.
UPDATE identity.upstream_identities AS made SET domain = lower(substring(person.email FROM '[^@]+$'))
FROM identity.users AS person
WHERE person.id = made.user_id AND made.created_at < person.created_at + interval '10 seconds'
  AND made.provider IN (SELECT id::text FROM identity.organizations);--> statement-breakpoint
-- Such sessions sign in to no app of others.
DELETE FROM identity.sessions USING identity.services
WHERE services.id = sessions.service_id AND NOT services.first_party AND sessions.only_in IS NOT NULL;
