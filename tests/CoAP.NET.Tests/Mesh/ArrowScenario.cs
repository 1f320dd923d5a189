using System.Text;
using CoAP.Datagrams;
using CoAP.Stateless;
using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>An endpoint over datagrams with links of the test, and traffic for each arrow.</summary>
internal sealed class ArrowScenario : IDisposable
{
    private const string Body = "The first block.The second block.The end";

    private readonly Wire _wire = new(new ManualClock());
    private readonly StatelessTokens _tokens = new();
    private readonly LateAnswer _late = new();
    private readonly string _arrow;
    private readonly ScriptedPeer _peer;
    private readonly LaneEnd? _sibling;
    private Resource _watched = null!;
    private int _messages;

    public ArrowScenario(string arrow, params MeshLink[] links)
    {
        _arrow = arrow;
        if (arrow == nameof(MeshArrow.StatelessResponses))
        {
            End = LaneEnd.Client(_wire, new CoapClientSettings { StatelessTokens = _tokens, Links = links });
            _peer = ScriptedPeer.Server(_wire);
            return;
        }
        End = LaneEnd.Server(_wire, Map, new()
        {
            Links = links,
            Amplification = new() { IsLimited = false },
            ServerTransfers = new() { MaxDatagramPayload = 16, PreferredBlockSize = 16 },
        });
        _peer = ScriptedPeer.Client(_wire);
        if (arrow != nameof(MeshArrow.HandedOver)) { return; }
        _sibling = LaneEnd.Member(_wire, "sibling", Map, new());
        DatagramLane.Join([_sibling.Lane, End.Lane]);
    }

    public LaneEnd End { get; }

    /// <summary>Causes traffic on the arrow.</summary>
    public void Play()
    {
        var number = ++_messages;
        var (id, token) = ($"0x{number:x4}", $"(Token 0x{number:x2})");
        switch (_arrow)
        {
            case nameof(MeshArrow.StatelessResponses):
                _ = StatelessRequest.Send(End.ChannelTo(_wire.Server), new CoapRequest(RequestCode.Get, "/x"), _tokens, Encoding.UTF8.GetBytes("state"), parked: false);
                _peer.Expect($"NON [X{number}] GET /x (Token T{number})");
                _peer.Send($"NON [{id}] 2.05 Content (Token T{number}) 'hot'");
                break;
            case nameof(MeshArrow.HandedOver):
                _peer.TalkTo("sibling");
                _peer.Send($"NON [{id}] 2.05 Content {token} 'nobody asked'");
                break;
            case nameof(MeshArrow.Reactions):
                _peer.Send($"CON [{id}]");
                break;
            case nameof(MeshArrow.MatchedResponses) or nameof(MeshArrow.Responses):
                _ = End.Send(new CoapRequest(RequestCode.Get, "/x"), _peer.Self);
                _peer.Expect($"CON [X{number}] GET /x (Token T{number})");
                _peer.Send($"ACK [X{number}] 2.05 Content (Token T{number}) 'hot'");
                break;
            case nameof(MeshArrow.AskedRequests) or nameof(MeshArrow.AdmittedRequests) or nameof(MeshArrow.EchoedRequests)
                or nameof(MeshArrow.OwnRequests):
                // Each to a peer of its own, so that no request waits for another one.
                _ = End.Send(new CoapRequest(RequestCode.Get, "/x"), PeerIdentity.From($"nobody {number}"));
                break;
            case nameof(MeshArrow.LateMessages):
                _peer.Send($"CON [{id}] GET /late {token}");
                _peer.TakeAll(seconds: 3);
                _late.Answer(Response.Changed);
                break;
            case nameof(MeshArrow.Notifications) or nameof(MeshArrow.ObserverRequests):
                _peer.Send($"CON [{id}] GET /watched {token} {{Observe: 0}}");
                _peer.TakeAll(seconds: 1);
                _watched.NotifyChanged();
                break;
            case nameof(MeshArrow.RobustBlocks):
                _peer.Send($"NON [{id}] GET /large {token} {{31: 0x08}}");
                break;
            case nameof(MeshArrow.Replays):
                _peer.Send($"CON [{id}] GET /hello {token}");
                _peer.TakeAll(seconds: 1);
                _peer.Send($"CON [{id}] GET /hello {token}");
                break;
            default:
                _peer.Send($"CON [{id}] GET /hello {token}");
                break;
        }
        _peer.TakeAll(seconds: 5);
    }

    /// <summary>Lets the lane do what other threads have brought.</summary>
    public void Wait()
    {
        End.AwaitWork();
        _peer.TakeAll(seconds: 1);
    }

    public void Dispose()
    {
        _peer.Dispose();
        _sibling?.Dispose();
        End.Dispose();
        _tokens.Dispose();
    }

    private void Map(ResourceMap map)
    {
        map.At("hello").Get(_ => Response.Changed, HandlerMode.Inline);
        map.At("late").Get(_late.HandleAsync);
        map.At("large").Get((_, _) => new(Response.Content(string.Concat(Enumerable.Repeat(Body, 20)))));
        _watched = map.At("watched").Observable().Get(_ => Response.Content("now"), HandlerMode.Inline);
    }
}
