ALTER TABLE "identity"."api_keys" ADD COLUMN "responsible_id" uuid;--> statement-breakpoint
ALTER TABLE "payments"."settings" ADD COLUMN "raised" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."refunds" ADD COLUMN "responsible_id" uuid;--> statement-breakpoint
ALTER TABLE "payments"."settlements" ADD COLUMN "responsible_id" uuid;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_responsible_id_users_id_fk" FOREIGN KEY ("responsible_id") REFERENCES "identity"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
WITH RECURSIVE behind AS (
  SELECT key.id, key.created_by AS person, coalesce(key.made_by_key, key.rotated_from) AS by_key
  FROM identity.api_keys AS key JOIN identity.users AS creator ON creator.id = key.created_by
  WHERE creator.principal_type = 'agent'
  UNION
  SELECT behind.id, key.created_by, coalesce(key.made_by_key, key.rotated_from)
  FROM behind
    JOIN identity.users AS agent ON agent.id = behind.person AND agent.principal_type = 'agent'
    JOIN identity.api_keys AS key ON key.id = behind.by_key
)
UPDATE identity.api_keys SET responsible_id = behind.person
FROM behind JOIN identity.users AS person ON person.id = behind.person AND person.principal_type <> 'agent'
WHERE api_keys.id = behind.id;
