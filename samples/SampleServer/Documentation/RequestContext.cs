using System.Security.Claims;
using CoAP;

namespace SampleServer;

/// <summary>The snippets of the page "The context of a request".</summary>
internal static class RequestContext
{
    public static void AddTenants(CoapServer server, Func<string?, string> tenantOf)
    {
        server.Use(next => (request, cancellationToken) =>
        {
            request.Items["tenant"] = tenantOf(request.User.Identity?.Name);
            return next(request, cancellationToken);
        });
        server.Resources.At("plant").Get(request => Response.Content($"The plant of {request.Items["tenant"]}"));
    }

    public static void AddRoles(CoapServer server, Func<string, string> roleOf)
    {
        server.Use(next => (request, cancellationToken) =>
        {
            if (request.User.FindFirst(ClaimTypes.NameIdentifier) is { } id)
            {
                request.User.AddIdentity(new ClaimsIdentity([new Claim(ClaimTypes.Role, roleOf(id.Value))]));
            }
            return next(request, cancellationToken);
        });
    }

    public static void MapPlants(CoapServer server, Func<string, string> stateOf)
    {
        server.Resources.At("plants/{id}").Get(request => Response.Content(stateOf(request["id"])))
            .Authorize(request => request.User.HasClaim(ClaimTypes.NameIdentifier, $"operator-of-{request["id"]}")
                ? AuthorizationDecision.Allow()
                : AuthorizationDecision.Deny());
    }

    public static void MapReport(ResourceMap resources, Func<CancellationToken, Task<string>> report)
    {
        resources.At("report").Get(async (request, _) => Response.Content(await report(request.RequestAborted)));
    }

    public static async Task WatchAsync(CoapServer server, Action<string> log)
    {
        server.ChannelOpened += (_, args) => log($"{args.Channel.Peer} is connected as {args.Channel.Identity ?? "nobody"}");
        server.ChannelClosed += (_, args) => log($"{args.Channel.Peer} is gone after {args.Channel.Age}");

        await foreach (var channel in server.GetChannelsAsync())
        {
            log($"{channel.Scheme} {channel.Peer}: last heard {channel.SinceLastContact} ago");
        }
    }
}
