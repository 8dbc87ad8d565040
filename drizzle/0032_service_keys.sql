CREATE TABLE "identity"."service_assertions" (
	"service_key_id" uuid NOT NULL,
	"jti_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "service_assertions_service_key_id_jti_hash_pk" PRIMARY KEY("service_key_id","jti_hash")
);
--> statement-breakpoint
CREATE TABLE "identity"."service_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"service_id" uuid NOT NULL,
	"public_key" jsonb NOT NULL,
	"thumbprint" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "service_keys_thumbprint" UNIQUE("thumbprint")
);
--> statement-breakpoint
DROP INDEX "identity"."signing_keys_current";--> statement-breakpoint
ALTER TABLE "identity"."signing_keys" ADD COLUMN "signs_from" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "identity"."signing_keys" SET "signs_from" = "created_at";--> statement-breakpoint
ALTER TABLE "identity"."signing_keys" ALTER COLUMN "signs_from" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."service_assertions" ADD CONSTRAINT "service_assertions_service_key_id_service_keys_id_fk" FOREIGN KEY ("service_key_id") REFERENCES "identity"."service_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."service_keys" ADD CONSTRAINT "service_keys_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."service_keys" ADD CONSTRAINT "service_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "service_assertions_expires_at" ON "identity"."service_assertions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "service_keys_service" ON "identity"."service_keys" USING btree ("service_id","id");--> statement-breakpoint
CREATE INDEX "signing_keys_signs_from" ON "identity"."signing_keys" USING btree ("signs_from");