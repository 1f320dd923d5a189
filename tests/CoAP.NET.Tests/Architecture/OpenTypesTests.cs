using System.Reflection;

namespace CoAP.Tests.Architecture;

/// <summary>What is public can be implemented by its users, or it is closed on purpose.</summary>
public sealed class OpenTypesTests
{
    private static readonly Assembly[] Libraries = [typeof(CoapMessage).Assembly, typeof(CoapClient).Assembly, typeof(DtlsSettings).Assembly];

    // The asking side: extension methods reach the state of a client through these interfaces.
    private static readonly string[] Asking =
    [
        "IMulticastSender.BeginMulticast", "IMulticastSender.get_MaxDiscoveredLinks", "IMulticastSender.get_MulticastDefaults", "IMulticastSender.get_Router",
        "IObservingClient.get_Observations", "IStatelessSender.get_Stateless",
    ];

    [Fact]
    public void Users_can_implement_all_members_of_what_they_can_implement() =>
        Libraries.SelectMany(OpenTypes.MembersOutOfReach).Should().BeEquivalentTo(Asking, "an internal member of an open type keeps users from implementing it");

    [Fact]
    public void Few_abstract_classes_are_closed() =>
        Libraries.SelectMany(OpenTypes.ClosedClasses).Should().BeEquivalentTo(
            ["CoapException", "CoapOption`1", "BlockOption", "CoapEndpointSettings", "IncomingRequest", "DtlsSettings"],
            "their leaves are in the library, and users cannot derive from them");

    [Theory]
    [InlineData(typeof(IPartlyOpen), "IPartlyOpen.Reply")]
    [InlineData(typeof(PartlyOpen), "PartlyOpen.Answer", "PartlyOpen.Send")]
    public void Members_out_of_reach_are_found(Type type, params string[] members) =>
        OpenTypes.MembersOutOfReach(type.Assembly).Where(member => member.StartsWith(type.Name + ".", StringComparison.Ordinal)).Should().BeEquivalentTo(members);

    public interface IPartlyOpen
    {
        int Ask();

        internal int Reply();
    }

    public abstract class PartlyOpen
    {
        public abstract int Ask();

        internal virtual int Answer() => 0;

        private protected abstract int Send();
    }
}
