using System.Reflection;

namespace CoAP.Packages.Tests;

/// <summary>What a library makes public can be implemented by its users, or it is closed on purpose.</summary>
public sealed class OpenTypesTests
{
    // The abstract classes whose leaves are all in the library. A library without a row has none.
    private static readonly Dictionary<string, string[]> Closed = new()
    {
        ["CoAP.NET.Core"] = ["CoapException", "CoapOption`1", "BlockOption"],
        ["CoAP.NET"] = ["CoapEndpointSettings", "IncomingRequest"],
        ["CoAP.NET.Dtls"] = ["DtlsSettings"],
    };

    public static TheoryData<string> Libraries => [.. Repository.Libraries];

    [Theory, MemberData(nameof(Libraries))]
    public void Users_can_implement_all_members_of_what_they_can_implement(string id) =>
        OpenTypes.MembersOutOfReach(Assembly.Load(id)).Should()
            .BeEmpty("an internal member of an open type keeps users from implementing it");

    [Theory, MemberData(nameof(Libraries))]
    public void Few_abstract_classes_are_closed(string id) =>
        OpenTypes.ClosedClasses(Assembly.Load(id)).Should()
            .BeEquivalentTo(Closed.GetValueOrDefault(id, []), "users cannot derive from them, and one with a single leaf is that leaf");

    [Fact]
    public void Each_row_is_about_a_library() => Repository.Libraries.Should().Contain(Closed.Keys);

    [Theory]
    [InlineData(typeof(IPartlyOpen), "IPartlyOpen.Reply")]
    [InlineData(typeof(PartlyOpen), "PartlyOpen.Answer", "PartlyOpen.Send")]
    public void Members_out_of_reach_are_found(Type type, params string[] members) =>
        OpenTypes.MembersOutOfReach(type.Assembly).Where(member => member.StartsWith(type.Name + ".", StringComparison.Ordinal)).Should().BeEquivalentTo(members);

    [Fact]
    public void Closed_classes_are_found() => OpenTypes.ClosedClasses(typeof(ClosedOne).Assembly).Should().Equal(nameof(ClosedOne));

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

    public abstract class ClosedOne
    {
        private protected ClosedOne()
        {
        }
    }
}
