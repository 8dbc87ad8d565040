CREATE TABLE "gateway"."provider_credentials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"label" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"last_four" text NOT NULL,
	"base_url" text NOT NULL,
	"health" text DEFAULT 'unknown' NOT NULL,
	"last_error" text,
	"checked_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	CONSTRAINT "provider_credentials_owner" UNIQUE NULLS NOT DISTINCT("organization_id","provider","mode"),
	CONSTRAINT "provider_credentials_mode" CHECK ("gateway"."provider_credentials"."mode" IN ('live', 'test')),
	CONSTRAINT "provider_credentials_health" CHECK ("gateway"."provider_credentials"."health" IN ('unknown', 'healthy', 'unhealthy'))
);
