-- What people open: the apps that are built, each at its first page.
UPDATE identity.services SET surface_kind = 'app', icon = 'megaphone', launchable = true, web_url = '/workspace/posts'
WHERE slug = 'platform-socialize';
--> statement-breakpoint
UPDATE identity.services SET surface_kind = 'app', icon = 'key-round', launchable = true, web_url = '/settings/profile'
WHERE slug = 'platform-identity';
