using System.Text;
using CoAP.Discovery;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our servers as members of a group, and a client that follows a script.</summary>
public abstract class GroupUnderTest : IDisposable
{
    protected const string Group = "224.0.1.187";

    private readonly List<LaneEnd> _members = [];

    private protected GroupUnderTest() => Client = ScriptedPeer.ClientOf(Wire, Group);

    private protected static CoapServerSettings AtOnce { get; } = new() { Multicast = new MulticastSettings { Leisure = TimeSpan.Zero } };

    private protected static CoapServerSettings AtLeisure { get; } = new() { Multicast = new MulticastSettings() };

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected ScriptedPeer Client { get; }

    /// <summary>How often a handler ran.</summary>
    private protected int Calls { get; private set; }

    public void Dispose()
    {
        _members.ForEach(member => member.Dispose());
        Client.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected LaneEnd Join(string name, CoapServerSettings settings)
    {
        var member = LaneEnd.Member(Wire, name, resources => Map(resources, name), settings);
        _members.Add(member);
        return member;
    }

    private void Map(ResourceMap resources, string name)
    {
        WellKnownCore.MapOn(resources);
        resources.At("temperature").Get(_ => Counted(Content($"22.3 C at {name}")), HandlerMode.Inline).AnswersMulticast();
        resources.At("private").Get(_ => Counted(Content("a secret")), HandlerMode.Inline);
        resources.At("known").Get(_ => Response.Valid(new ETag(new byte[] { 1 })), HandlerMode.Inline).AnswersMulticast();
        resources.At("empty").Get(_ => new CoapResponse(ResponseCode.Content), HandlerMode.Inline).AnswersMulticast();
        resources.At("closed").Get((_, _) => throw new CoapResponseException(ResponseCode.Forbidden, "members only")).AnswersMulticast();
        resources.At("broken").Get((Func<IncomingRequest, CoapResponse>)(_ => throw new InvalidOperationException("a secret")), HandlerMode.Inline).AnswersMulticast();
        resources.At("talkative").Get((_, _) => throw new CoapResponseException(ResponseCode.Forbidden)).AnswersMulticast(MulticastAnswers.All);
        resources.At("light").Put(_ => Counted(new CoapResponse(ResponseCode.Changed)), HandlerMode.Inline).AnswersMulticast(MulticastAnswers.Successes, RequestCode.Put)
            .WithLink(rt: "lamp");
        resources.At("many").Get(request => Content($"{request.IsMulticast}"), HandlerMode.Inline).AnswersMulticast();
    }

    private CoapResponse Counted(CoapResponse response)
    {
        Calls++;
        return response;
    }

    private static CoapResponse Content(string text) => new(ResponseCode.Content) { Payload = Encoding.UTF8.GetBytes(text) };
}
