CREATE TABLE "social"."rate_windows" (
	"provider" text NOT NULL,
	"host" text NOT NULL,
	"account" text NOT NULL,
	"opens_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rate_windows_provider_host_account_pk" PRIMARY KEY("provider","host","account")
);
--> statement-breakpoint
ALTER TABLE "social"."connections" ADD COLUMN "host" text GENERATED ALWAYS AS (coalesce(metadata->>'origin', metadata->>'pds', provider)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."posts" ADD COLUMN "rate_limited_since" timestamp (3) with time zone;