CREATE TABLE "platform"."derivation_roots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sealed_root" text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "derivation_roots_one" ON "platform"."derivation_roots" USING btree ((true));