using CoAP;
using CoAP.Options;
using CoAP.Serialization;

namespace SampleClient;

/// <summary>The code of the page of the package CoAP.NET.Core.</summary>
internal static class Messages
{
    public static void Run()
    {
        var uri = CoapUri.Parse("coap://device/sensors/7?unit=C");
        var request = new CoapMessage
        {
            Code = RequestCode.Get,
            MessageId = new MessageId(0x7d34),
            Token = new Token([0x2a, 0x01]),
            Options = uri.ToPathOptions().With(new Accept(ContentFormats.Json)),
        };
        byte[] datagram = CoapMessageSerializer.Datagram.Serialize(request);

        var isValid = CoapMessageSerializer.Datagram.TryRead(datagram, out var message, out var error, out var offset);
        Console.WriteLine(isValid ? $"{message}" : $"{error} at byte {offset}");
    }
}
