CREATE TABLE "gateway"."social_client_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"public_x" text NOT NULL,
	"public_y" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
