using System.Reflection;

namespace CoAP.Messages;

public sealed class CodeNamesTests
{
    [Theory, Trait("RFC", "7252 12.1.2")]
    [InlineData(typeof(ResponseCode)), InlineData(typeof(RequestCode))]
    public void Every_registered_code_has_its_name(Type codes)
    {
        foreach (var property in codes.GetProperties(BindingFlags.Public | BindingFlags.Static))
        {
            var code = (CoapCode)property.GetValue(null)!;
            var name = code.IsRequest ? CodeNames.OfMethod(code) : CodeNames.OfResponse(code)[5..];

            string.Concat(name.Where(char.IsLetter)).Should().BeEquivalentTo(property.Name);
        }
    }

    [Fact]
    public void Unregistered_codes_are_named_by_their_numbers()
    {
        CodeNames.OfMethod(new(0, 31)).Should().Be("0.31");
        CodeNames.OfResponse(new(5, 31)).Should().Be("5.31");
    }
}
